// What makes a text look like another: control characters but line breaks and tabs, and what turns the way of writing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const misleading = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/** Others' words as a mail or page may show them. */
export const shown = (text: string): string => text.replace(misleading, '\ufffd');
