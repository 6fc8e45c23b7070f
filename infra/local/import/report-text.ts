import type { Report } from './imported-file.ts';

const mostShown = 10;

/** What became of the lines of a file, as JSON; before it, whether they came before. */
export function countsOf({ repeats, ...report }: Report): string {
  const { lines, applied, repeated, refused } = repeats ?? report;
  const counts = JSON.stringify({ lines, ...applied, repeated, refused });
  if (repeats === undefined) return counts;
  return `imported before, as ${repeats.file} at ${repeats.begunAt}: nothing was applied now; then\n${counts}`;
}

/** The first lines that were refused, each with its number, its field and the reason, and how many there are besides. */
export function refusalsOf({ repeats, refusedLines, ...report }: Report): string[] {
  const { refused } = repeats ?? report;
  const shown = refusedLines.slice(0, mostShown);
  const more = refused - shown.length;
  return [
    ...shown.map(({ line, field, reason }) => `line ${line}: ${field === 'line' ? '' : `${field} `}${reason}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}
