export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
