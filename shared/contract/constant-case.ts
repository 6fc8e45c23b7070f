/** Returns the name of an environment variable: `UIN_LENGTH` for `uinLength`. */
export const constantCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
