/** Returns a name from a request for use in an error message, in quotes and cut to 64 characters. */
export const quoteName = (name: string): string => JSON.stringify(name.slice(0, 64).toWellFormed());
