import * as z from 'zod/mini';
import { lineOfText, plainLine } from '../domain/text.ts';

/** OSIA clients send `transactionId` with any operation; it is read by mint only and ignored elsewhere. */
export const ignoredParameters: readonly string[] = ['transactionId'];

/** An optional parameter, which clients also send empty where they have nothing to say. */
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

/** `{uin}` in a path: any text; a UIN that nobody has is unknown, not wrong. */
export const uinInPath = z
  .string()
  .check(
    z.minLength(1, { error: 'must not be empty' }),
    z.maxLength(256, { error: 'must be at most 256 characters long' }),
  );

/** Chosen by the caller to make a repeated request safe. */
export const idempotencyKey = z.optional(lineOfText);

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/**
 * What a person's data is asked for, in a few words that the person may be shown. What is not ASCII is percent-encoded as in a
 * URL, for a header cannot hold it.
 */
export const purpose = textOrEmpty(
  z.pipe(
    z.string().check(
      z.regex(/^[\x20-\x7e]*$/, { error: 'must be ASCII: percent-encode what is not, in UTF-8 (é is %C3%A9)' }),
      z.refine((text) => decoded(text) !== undefined, {
        error: 'must be percent-encoded UTF-8, in which a per cent sign is %25',
      }),
    ),
    z.pipe(
      z.transform((text: string) => decoded(text) ?? ''),
      plainLine,
    ),
  ),
);

/** A whole number within these bounds, in decimal digits. */
export const wholeNumber = (least: number, most: number) =>
  z.pipe(
    z.string().check(
      z.refine((text) => /^(?:0|[1-9]\d{0,5})$/.test(text) && Number(text) >= least && Number(text) <= most, {
        error: `must be a number from ${least} to ${most}`,
      }),
      z.meta({ type: 'integer', minimum: least, maximum: most }),
    ),
    z.transform(Number),
  );

/** Paging of a list: at most `limit` rows, then the next page from `cursor`. Without `limit` the whole list is answered. */
export const paging = {
  limit: z.optional(wholeNumber(1, 1000)),
  cursor: z.optional(z.string().check(z.regex(/^[\w-]{1,200}$/, { error: 'must be a cursor from a Link header' }))),
};

/** A moment (RFC 3339). */
export const time = z.iso.datetime({
  offset: true,
  error: 'must be a time such as 2026-11-20T08:00:00Z or 2026-11-20T10:00:00+02:00',
});

/** Headers of a list that may be answered in pages. */
export const nextPage = {
  link: z.exactOptional(z.string()),
};
