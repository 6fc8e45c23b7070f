import { isolated } from '../../presentation/languages/isolated.ts';

const longestInLine = 80;

/** The first of a text, without half a character at its end. */
export const firstOf = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/u, '');

/** Others' words within a line of ours, cut off where they are many. */
export function inLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return isolated(line.length > longestInLine ? `${firstOf(line, longestInLine)}…` : line);
}
