/** Lambda takes 6 MB; the rest is for what stands around the body. */
export const largestAnswerBytes = 5_000_000;

/** How large something is as Lambda counts it when it leaves: the body is a text within JSON, and escaped once more. */
export const answerBytes = (shown: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(shown)));
