/** A name that a caller sent, as a refusal may repeat it: in quotes, at most 64 characters of it. */
export const quoteName = (name: string): string => JSON.stringify(name.slice(0, 64).toWellFormed());
