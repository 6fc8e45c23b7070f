import { shown } from './shown.ts';

/** The characters that begin and end an isolate (UAX 9, 2.4). */
export const isolates = { begin: '\u2068', end: '\u2069' } as const;

/** Isolates text from others, so that its writing direction does not reorder our sentence around it. */
export const isolated = (words: string): string => isolates.begin + shown(words) + isolates.end;

// The blocks of right-to-left scripts, with their presentation forms and marks.
const turning = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Removes the isolation marks from plain text that contains no right-to-left script. */
export const plainly = (text: string): string => (turning.test(text) ? text : text.replace(/[\u2068\u2069]/gu, ''));
