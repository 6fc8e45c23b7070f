import { shown } from './shown.ts';

/** First strong isolate and its end (UAX 9, 2.4). */
export const isolates = { begin: '\u2068', end: '\u2069' } as const;

/** Others' words in a sentence of ours: whichever way they are written, they do not reorder what stands around them. */
export const isolated = (words: string): string => isolates.begin + shown(words) + isolates.end;

// Blocks of the scripts that are written from right to left, their presentation forms and marks among them.
const turning = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text with isolated words as plain text has it: without marks of isolation where nothing turns. */
export const plainly = (text: string): string => (turning.test(text) ? text : text.replace(/[\u2068\u2069]/gu, ''));
