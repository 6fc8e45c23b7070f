import * as z from 'zod/mini';
import { isNeverAllowed, type Network, parseNetwork } from '../domain/network.ts';
import { plainLine } from '../domain/text.ts';

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
    z.pipe(
      z.transform(Number),
      z.int().check(z.refine((number) => number >= least && number <= most, { error: `must be ${least} to ${most}` })),
    ),
  );

/** A setting that is empty, or else a whole number within bounds. */
export const emptyOrInteger = (least: number, most: number) => () => z.union([z.literal(''), integer(least, most)]);

/** A setting that is `true` or `false`. */
export const flag = () =>
  z.pipe(
    z.enum(['true', 'false'], { error: 'must be true or false' }),
    z.transform((text) => text === 'true'),
  );

const isPattern = (text: string): boolean => {
  try {
    return text !== '' && new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** A regular expression, which the whole of a text must match. */
export const pattern = () =>
  z.pipe(
    z.string().check(z.refine(isPattern, { error: 'must be a regular expression' })),
    z.transform((text) => new RegExp(`^(?:${text})$`, 'u')),
  );

/** A setting that is empty, or else text of this pattern. */
export const emptyOr = (pattern: RegExp, error: string) => () =>
  z.union([z.literal(''), z.string().check(z.regex(pattern, { error }))]);

/** A setting that is empty, or else one line that people will read, of so many characters. */
export const emptyOrLine = (most: number) =>
  z.union([
    z.literal(''),
    plainLine.check(z.refine((text) => text.length <= most, { error: `must be at most ${most} characters long` })),
  ]);

function isTimeZone(name: string): boolean {
  try {
    // An offset such as +01:00 would do, too, and be wrong in summer.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** The name of a time zone. */
export const timeZone = () =>
  z
    .string()
    .check(z.refine(isTimeZone, { error: 'must be a time zone of the IANA database, such as Africa/Dakar or UTC' }));

/** A setting that is one of these words; the empty one is nothing. */
export const oneOf =
  <const W extends readonly string[]>(...words: W) =>
  () =>
    z.enum(words, { error: `must be ${words.map((word) => word || 'empty').join(' or ')}` });

/** A setting of several values, each of which is acceptable. */
export const namesThat = (isAcceptable: (name: string) => boolean, error: string) => () =>
  names().check(z.refine((given) => given.every(isAcceptable), { error }));

/** An address of the Web. */
export const url = () => z.string().check(z.regex(/^https?:\/\/\S+$/, { error: 'must be a URL' }));

// Keys that come in the clear could be anybody's; nobody stands between a laptop and itself.
const loopback: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/** Where keys are fetched from. */
export const keysUrl = () =>
  url().check(
    z.refine(
      (text) => {
        const { protocol, hostname } = URL.parse(text) ?? {};
        return protocol === 'https:' || (hostname !== undefined && loopback.includes(hostname));
      },
      { error: 'must be an https address' },
    ),
  );

/** One address of e-mail, without a name. */
export const mailbox = () =>
  z.string().check(z.regex(/^[^@\s<>]+@[^@\s<>]+$/, { error: 'must be one mailbox address' }));

/** One of these whole numbers. */
export const numberOf = (values: readonly number[]) =>
  integer(Math.min(...values), Math.max(...values)).check(
    z.refine((value) => values.includes(value), { error: `must be one of ${values.join(', ')}` }),
  );

/** Modes of S3 Object Lock. */
export const lockMode = () => z.enum(['governance', 'compliance']);
