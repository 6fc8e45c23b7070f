import type { Report } from './imported-file.ts';

const mostShown = 10;

/** What became of the lines of a file, as JSON; before it, whether they came before. */
export function countsOf({ repeats, lines, applied, repeated, refused }: Report): string {
  const counts = JSON.stringify({ lines, ...applied, repeated, refused });
  if (repeats === undefined) return counts;
  return `imported before, as ${repeats.file} at ${repeats.begunAt}: nothing was applied\n${counts}`;
}

/** The first lines that were refused, each with its number, its field and the reason, and how many there are besides. */
export function refusalsOf({ refused, refusedLines }: Report): string[] {
  const shown = refusedLines.slice(0, mostShown);
  const more = refused - shown.length;
  return [
    ...shown.map(({ line, field, reason }) => `line ${line}: ${field === 'line' ? '' : `${field} `}${reason}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}
