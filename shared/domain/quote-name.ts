/** Returns a name from a request for use in an error message: in quotes and at most 64 characters long. */
export const quoteName = (name: string): string => JSON.stringify(name.slice(0, 64).toWellFormed());
