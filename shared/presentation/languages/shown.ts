// Characters that can disguise text: control characters except line breaks and tabs, and direction marks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const misleading = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes text from others safe to show in emails and pages. */
export const shown = (text: string): string => text.replace(misleading, '\ufffd');
