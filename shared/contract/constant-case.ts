/** The name of a variable: `UIN_LENGTH` of `uinLength`. */
export const constantCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
