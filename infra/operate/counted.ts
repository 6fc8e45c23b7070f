/** Returns a number with its noun: `1 day`, `2 days`. */
export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
