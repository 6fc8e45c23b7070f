import * as z from 'zod/mini';
import { isNeverAllowed, type Network, parseNetwork } from '../model/network.ts';

/** A setting of several values, comma-separated. */
export const names = () =>
  z.pipe(
    z.string(),
    z.transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  );

/** The same of networks. */
export const networkList = () =>
  z.pipe(
    names(),
    z.pipe(
      z.array(
        z.string().check(
          z.refine((text) => parseNetwork(text) !== undefined, {
            error: 'must be networks such as 10.0.0.0/8,fd00::/8',
          }),
          z.refine((text) => !isNeverAllowed(text.split('/')[0] ?? ''), {
            error: 'must not name link-local addresses, nor such as carry an IPv4 address inside',
          }),
        ),
      ),
      z.transform((texts: string[]) => texts.map((text) => parseNetwork(text)).filter((one): one is Network => !!one)),
    ),
  );

/** A whole number within bounds, in decimal digits. */
export const integer = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, { error: 'must be a whole number' })),
    z.pipe(z.transform(Number), z.int().check(z.gte(least), z.lte(most))),
  );

/** A setting that is `true` or `false`. */
export const flag = () =>
  z.pipe(
    z.enum(['true', 'false'], { error: 'must be true or false' }),
    z.transform((text) => text === 'true'),
  );
