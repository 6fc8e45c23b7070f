import { cpus } from 'node:os';
import { markdownTable } from '../../infra/docs/markdown-table.ts';
import { createBar } from '../../infra/local/import/progress-bar.ts';

/** What the figures belong to. */
export const machine = (): string => {
  const [first] = cpus();
  return `${cpus().length} cores of ${first?.model.trim() ?? 'an unknown CPU'}, Node ${process.versions.node}`;
};

/** How far something is, on standard error. */
export function progressBar(what: string, total: number) {
  const bar = createBar(process.stderr);
  const at = (count: number): void =>
    bar.show(`${what} ${count.toLocaleString('en')} of ${total.toLocaleString('en')}`, count / total);
  at(0);
  return { at, end: bar.clear };
}

/** Prints a table that reads the same here and in a README.md. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(markdownTable(head, rows));
}
