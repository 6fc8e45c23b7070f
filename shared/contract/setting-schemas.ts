import * as z from 'zod/mini';
import { isNeverAllowed, parseNetwork } from '../domain/network.ts';
import { plainLine } from '../domain/text.ts';

/** Creates a schema for text that matches a regular expression. */
const matching = (pattern: RegExp, error: string) => z.string().check(z.regex(pattern, { error }));

/** Creates a schema for a value that may be empty. */
const orEmpty = <S extends z.ZodMiniType>(schema: S) => z.union([z.literal(''), schema]);

/** Returns whether a function returns without throwing. */
export const succeeds = (attempt: () => unknown): boolean => {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
};

/** Creates a schema for a comma-separated list. */
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

/** Creates a schema for a comma-separated list of networks. */
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
            error: 'must not contain link-local addresses or addresses with an embedded IPv4 address',
          }),
        ),
      ),
      z.transform((texts: string[]) => texts.flatMap((text) => parseNetwork(text) ?? [])),
    ),
  );

/** Creates a schema for an integer from `min` to `max` in decimal digits. */
export const integer = (min: number, max: number) =>
  z.pipe(
    matching(/^\d+$/, 'must be a whole number'),
    z.pipe(
      z.transform(Number),
      z.int().check(z.refine((number) => number >= min && number <= max, { error: `must be ${min} to ${max}` })),
    ),
  );

export const emptyOrInteger = (min: number, max: number) => () => orEmpty(integer(min, max));

export const flag = () =>
  z.pipe(
    z.enum(['true', 'false'], { error: 'must be true or false' }),
    z.transform((text) => text === 'true'),
  );

const isPattern = (text: string): boolean => text !== '' && succeeds(() => new RegExp(text, 'u'));

/** Creates a schema for a regular expression that must match an entire text. */
export const pattern = () =>
  z.pipe(
    z.string().check(z.refine(isPattern, { error: 'must be a regular expression' })),
    z.transform((text) => new RegExp(`^(?:${text})$`, 'u')),
  );

export const emptyOr = (pattern: RegExp, error: string) => () => orEmpty(matching(pattern, error));

/** Creates a schema for an optional line of text for people. */
export const emptyOrLine = (maxLength: number) =>
  orEmpty(plainLine.check(z.maxLength(maxLength, { error: `must be at most ${maxLength} characters long` })));

// Intl also accepts offsets such as +01:00, which would be wrong in summer.
const isTimeZone = (name: string): boolean =>
  /^[A-Za-z]/.test(name) && succeeds(() => new Intl.DateTimeFormat('en', { timeZone: name }));

export const timeZone = () =>
  z
    .string()
    .check(z.refine(isTimeZone, { error: 'must be a time zone of the IANA database, such as Africa/Dakar or UTC' }));

export const oneOf =
  <const W extends readonly string[]>(...words: W) =>
  () =>
    z.enum(words, { error: `must be ${words.map((word) => word || 'empty').join(' or ')}` });

/** Creates a schema for a comma-separated list of names, each of which must pass `isAcceptable`. */
export const namesThat = (isAcceptable: (name: string) => boolean, error: string) => () =>
  names().check(z.refine((given) => given.every(isAcceptable), { error }));

/** Creates a schema for a comma-separated list of pairs `name=value`, each of which must pass `isAcceptable`. */
export const pairsThat = (isAcceptable: (name: string, value: string) => boolean, error: string) => () =>
  z.pipe(
    names(),
    z.pipe(
      z.array(
        z.string().check(z.refine((text) => /^[^=]+=[^=]*$/.test(text) && isAcceptable(...pairOf(text)), { error })),
      ),
      z.transform((texts: string[]): Readonly<Record<string, string>> => Object.fromEntries(texts.map(pairOf))),
    ),
  );

const pairOf = (text: string): [name: string, value: string] => {
  const [name = '', value = ''] = text.split('=');
  return [name, value];
};

export const url = () => matching(/^https?:\/\/\S+$/, 'must be a URL');

// Without TLS, an attacker could forge the keys, unless the server runs on the local machine.
const loopback: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

const isTrusted = (text: string): boolean => {
  const { protocol, hostname } = URL.parse(text) ?? {};
  return protocol === 'https:' || (hostname !== undefined && loopback.includes(hostname));
};

export const keysUrl = () => url().check(z.refine(isTrusted, { error: 'must be an https address' }));

/** Creates a schema for one mailbox address without a display name. */
export const mailbox = () => matching(/^[^@\s<>]+@[^@\s<>]+$/, 'must be one mailbox address');

export const numberOf = (values: readonly number[]) =>
  integer(Math.min(...values), Math.max(...values)).check(
    z.refine((value) => values.includes(value), { error: `must be one of ${values.join(', ')}` }),
  );

export const lockMode = () => z.enum(['governance', 'compliance']);
