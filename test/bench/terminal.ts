import { cpus } from 'node:os';
import { alignedTable } from '../../infra/docs/markdown-table.ts';
import { createBar } from '../../infra/local/import/progress-bar.ts';

/** Returns a description of the machine on which the measurement runs. */
export const machine = (): string => {
  const [first] = cpus();
  return `${cpus().length} cores of ${first?.model.trim() ?? 'an unknown CPU'}, Node ${process.versions.node}`;
};

/** Shows progress on standard error. */
export function progressBar(what: string, total: number) {
  const bar = createBar(process.stderr);
  const at = (count: number): void =>
    bar.show(`${what} ${count.toLocaleString('en')} of ${total.toLocaleString('en')}`, count / total);
  at(0);
  return { at, end: bar.clear };
}

/** Prints a table in Markdown. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(alignedTable(head, rows));
}
