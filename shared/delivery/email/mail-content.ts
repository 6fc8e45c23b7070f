import { isolated, plainly } from '../../presentation/languages/isolated.ts';

const maxInLine = 80;

/** Returns the first characters of a string without splitting a surrogate pair. */
export const firstOf = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/u, '');

// Mail programs turn text such as `example.org` into links, unless an invisible word joiner (U+2060) splits the text.
const joiner = '\u2060';
const unlinked = (line: string): string => line.replace(/[.:@](?=\S)/gu, `$&${joiner}`);

/**
 * Prepares external text for use in one line: isolates the direction of the text, shortens the text to 80 characters,
 * and prevents automatic links.
 */
export function inLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return isolated(unlinked(line.length > maxInLine ? `${firstOf(line, maxInLine)}…` : line));
}

/** Returns the text for a subject line. Mail programs create no links in subject lines. */
export const asSubject = (text: string): string => plainly(text).replaceAll(joiner, '');

export interface Row {
  readonly label: string;
  readonly value: string;
}

/** The content of an email before rendering. The text direction of external text is isolated (bidi). */
export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  readonly opening: string;
  readonly button?: { readonly url: string; readonly label: string; readonly address: string };
  readonly rows: readonly Row[];
  readonly others?: { readonly heading: string; readonly rows: readonly Row[]; readonly rest?: string };
  /** The text of an event that is not a JSON object. */
  readonly excerpt?: string;
  readonly closing: string;
  /** The small print: why the recipient received this email, and the email's reference. */
  readonly notes: readonly string[];
  readonly link?: { readonly url: string; readonly label: string };
}
