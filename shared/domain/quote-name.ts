/** Formats a name from a request for an error message: quoted, and cut to 64 characters. */
export const quoteName = (name: string): string => JSON.stringify(name.slice(0, 64).toWellFormed());
