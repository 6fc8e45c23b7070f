// Characters that can disguise text: control characters except line breaks and tabs, and direction marks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const misleading = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes text from others safe to show in emails and pages. */
export const shown = (text: string): string => text.replace(misleading, '\ufffd');

/** The characters that begin and end an isolate (UAX 9, 2.4). */
export const isolates = { begin: '\u2068', end: '\u2069' } as const;

/** Isolates text from others, so that its writing direction does not reorder our sentence around it. */
export const isolated = (words: string): string => isolates.begin + shown(words) + isolates.end;

// The blocks of right-to-left scripts, with their presentation forms and marks.
const turning = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Removes the isolation marks from plain text that contains no right-to-left script. */
export const plainly = (text: string): string => (turning.test(text) ? text : text.replace(/[\u2068\u2069]/gu, ''));
