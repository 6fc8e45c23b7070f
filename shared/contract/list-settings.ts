import * as z from 'zod/mini';
import { isNeverAllowed, type Network, parseNetwork } from '../model/network.ts';

/** A setting of several values, comma-separated. */
export const names = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
);

/** The same of networks. */
export const networkList = z.pipe(
  names,
  z.pipe(
    z.array(
      z.string().check(
        z.refine((text) => parseNetwork(text) !== undefined, { error: 'must be networks such as 10.0.0.0/8,fd00::/8' }),
        z.refine((text) => !isNeverAllowed(text.split('/')[0] ?? ''), {
          error: 'must not name link-local addresses, nor such as carry an IPv4 address inside',
        }),
      ),
    ),
    z.transform((texts: string[]) => texts.map((text) => parseNetwork(text)).filter((one): one is Network => !!one)),
  ),
);
