/** Converts a name in camel case to the name of an environment variable, such as `uinLength` to `UIN_LENGTH`. */
export const constantCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
