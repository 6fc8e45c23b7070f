import * as z from 'zod/mini';

/** Converts text to Unicode NFC and trims it, for storage and comparison. */
export const normaliseText = (text: string): string => text.normalize('NFC').trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;

/** Returns whether a string contains a control character (C0, DEL or C1). */
export const hasControlCharacters = (text: string): boolean => CONTROL.test(text);

/** Text without lone surrogates, which UTF-8 cannot represent. */
export const wellFormed = z.refine<string>((text) => text.isWellFormed(), { error: 'must be well-formed Unicode' });

/** The maximum number of characters in a line of text. */
export const lineLength = 256;

/**
 * A line of well-formed Unicode text without control characters, with 1 to `lineLength` characters after normalisation.
 */
export const lineOfText = z.string({ error: 'must be a string' }).check(
  z.overwrite(normaliseText),
  z.minLength(1, { error: 'must not be blank' }),
  z.refine((text) => [...text].length <= lineLength, { error: `must be at most ${lineLength} characters long` }),
  wellFormed,
  z.refine((text) => !hasControlCharacters(text), { error: 'must not contain control characters' }),
);

// Matches invisible characters, bidirectional controls, replacement characters, private and unassigned characters, and
// whitespace other than the space character. The pattern also lists U+2800, U+16FE4 and U+1D159, which look blank but
// have no matching Unicode property.
const MISLEADING = /[\p{Cn}\p{Co}\p{Cf}\p{Zl}\p{Zp}[\p{Zs}--\x20]\p{DI}\u2800\ufffc\ufffd\u{16fe4}\u{1d159}]/v;

// Matches the variation selector where it turns a character into a colour emoji or a keycap. A variation selector after
// any other character is invisible and therefore misleading.
const COLOURED = /(?<=[\p{Emoji}--[0-9#*]])\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)/gv;

const misleadingIn = (text: string): string | undefined => {
  const [found] = MISLEADING.exec(text.replace(COLOURED, '')) ?? [];
  return found && `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
};

/** A line of text that other people read. It must not contain misleading characters. */
export const plainLine = lineOfText.check(
  z.refine((text) => misleadingIn(text) === undefined, {
    error: ({ input }) =>
      `must not contain ${misleadingIn(String(input))}: no invisible, private or unassigned characters, no whitespace ` +
      'except the space character',
  }),
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** A UUID in upper or lower case, converted to the canonical lower-case form (RFC 9562 section 4). */
export const uuid = z
  .string({ error: 'must be a UUID' })
  .check(z.regex(UUID, { error: 'must be a UUID such as 0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61' }), z.toLowerCase());
