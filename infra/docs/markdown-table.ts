type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const markdownTable = (...[head, rows]: Table): string =>
  [lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)].join('\n');

/** Returns a Markdown table with aligned columns, to be printed on a terminal. */
export function alignedTable(...[head, rows]: Table): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const aligned = [head, widths.map((width) => '-'.repeat(width)), ...rows].map((cells) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)),
  );
  return aligned.map(lineOf).join('\n');
}
