/** Converts a name in camel case to the name of an environment variable, such as `uinLength` to `UIN_LENGTH`. */
export const constantCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Converts a name in camel case to the name of a file, such as `createTopic` to `create-topic`. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
