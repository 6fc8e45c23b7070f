import * as z from 'zod/mini';
import { lineOfText, plainLine, uuid } from '../domain/text.ts';
import type { JsonObject, Schema } from './schemas.ts';
import { succeeds } from './setting-schemas.ts';

/** A parameter of a request. A parameter with an optional schema is optional. */
export interface Parameter {
  readonly schema: Schema;
  readonly description: string;
  readonly example: unknown;
  /** The schema in the OpenAPI file, if `schema` accepts more than callers should send. */
  readonly documentedSchema?: JsonObject;
}

/** The parameters in one location (path, query or header), by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

export const isRequired = ({ schema }: Parameter): boolean => !schema.safeParse(undefined).success;

/** Query parameters that OSIA clients send with every request. Most operations ignore these parameters. */
export const ignoredParameters = {
  transactionId: {
    schema: z.optional(z.string()),
    description: 'Ignored. OSIA clients send this parameter with every request.',
    example: 'b7f0c1d2',
  },
} as const satisfies Parameters;

/** Makes a parameter optional, and treats an empty value as absent. */
export const textOrEmpty = <Line extends z.ZodMiniType<string, string>>(line: Line) =>
  z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => (text === '' ? undefined : text)),
      ),
      z.optional(line),
    ),
  );

/** A UIN in a path. Any text is valid, because a request with an unknown UIN must return status 404, not 400. */
export const uinInPath = z
  .string()
  .check(
    z.minLength(1, { error: 'must not be empty' }),
    z.maxLength(256, { error: 'must be at most 256 characters long' }),
  );

export const personUin = {
  schema: uinInPath,
  description: 'The UIN of the person.',
  example: '194837260511',
} satisfies Parameter;

export const subscriptionUuid = {
  schema: uuid,
  description: 'The UUID of the subscription, as returned by `subscribe`.',
  example: '7b1f2c3d-4e5f-8a6b-9c7d-8e9fa0b1c2d3',
} satisfies Parameter;

export const idempotencyKey = {
  schema: z.optional(lineOfText),
  description: 'A key that makes it safe to repeat the request. Keys of different callers are independent.',
  example: 'birth-2026-000417',
} satisfies Parameter;

export const ifNoneMatch = {
  schema: z.optional(z.string()),
  description:
    'The ETags of the copies that the caller has cached. If one of these copies is current, the response has status 304 (RFC 9110 section 13.1.2).',
  example: '"9f86d081884c7d65"',
} satisfies Parameter;

// The pattern matches percent-encoded UTF-8 characters (RFC 3629, section 4), except control characters.
const hex = '[0-9A-Fa-f]';
const tail = `%[89ABab]${hex}`;
const percentEncoded = [
  `%[2-6]${hex}|%7[0-9A-Ea-e]`,
  `%[Cc][3-9A-Fa-f]${tail}|%[Dd]${hex}${tail}`,
  `%[Ee][1-9A-Ca-cEeFf](${tail}){2}`,
  `%[Ff][1-3](${tail}){3}`,
].join('|');

/** The caller's reason for requesting personal data. The value is percent-encoded, because headers are ASCII. */
export const purpose = {
  schema: textOrEmpty(
    z.pipe(
      z.string().check(
        z.regex(/^[\x20-\x7e]*$/, { error: 'must be ASCII: percent-encode other characters as UTF-8 (é is %C3%A9)' }),
        z.refine((text) => succeeds(() => decodeURIComponent(text)), {
          error: 'must be percent-encoded UTF-8 (a percent sign is %25)',
        }),
      ),
      z.pipe(
        z.transform((text: string) => decodeURIComponent(text)),
        plainLine,
      ),
    ),
  ),
  description:
    'The reason for the request, in a few words that the person may see. Percent-encode characters outside ASCII. ' +
    'Some deployments require this header.',
  example: 'passport application',
  documentedSchema: { type: 'string', pattern: `^([ -$&-~]|${percentEncoded}){0,256}$` },
} satisfies Parameter;

/** Creates a schema for an integer from `minimum` to `maximum` in decimal digits. */
export const wholeNumber = (minimum: number, maximum: number) =>
  z.pipe(
    z.string().check(
      z.refine((text) => /^(?:0|[1-9]\d{0,5})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum, {
        error: `must be a number from ${minimum} to ${maximum}`,
      }),
      z.meta({ type: 'integer', minimum, maximum }),
    ),
    z.transform(Number),
  );

/**
 * One page of a list: at most `limit` rows, starting at `cursor`. If `limit` is missing, the whole list is returned.
 */
export const paging = {
  limit: {
    schema: z.optional(wholeNumber(1, 1000)),
    description: 'The maximum number of items on a page. By default, the response contains all items.',
    example: 100,
  },
  cursor: {
    schema: z.optional(z.string().check(z.regex(/^[\w-]{1,200}$/, { error: 'must be a cursor from a Link header' }))),
    description: 'The cursor of the page, from the `Link` header of the previous page.',
    example: 'AZQLbi96fD6KUW0PGyw9Tg',
  },
} satisfies Parameters;

/** A time (RFC 3339). */
export const time = z.iso.datetime({
  offset: true,
  error: 'must be a time such as 2026-11-20T08:00:00Z or 2026-11-20T10:00:00+02:00',
});

/** The response headers of a list that can be returned in pages. */
export const nextPage = { link: z.exactOptional(z.string()) };

/** The response headers of a reply that callers may cache. */
export const cacheHeaders = { etag: z.string(), 'cache-control': z.string() };
