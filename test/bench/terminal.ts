import { cpus } from 'node:os';
import { markdownTable } from '../../infra/markdown-table.ts';

/** What the figures belong to. */
export const machine = (): string => {
  const [first] = cpus();
  return `${cpus().length} cores of ${first?.model.trim() ?? 'an unknown CPU'}, Node ${process.versions.node}`;
};

/** A bar on one line that fills, where a person watches; else nothing. */
export function progressBar(what: string, total: number) {
  const { isTTY, columns = 80 } = process.stderr;
  const width = Math.max(10, Math.min(40, columns - what.length - 30));
  return {
    at(count: number): void {
      if (!isTTY) return;
      const filled = Math.round((width * count) / total);
      const bar = '█'.repeat(filled).padEnd(width, '░');
      process.stderr.write(`\r${what} ${bar} ${count.toLocaleString('en')} of ${total.toLocaleString('en')}`);
    },
    end(): void {
      if (isTTY) process.stderr.write('\r\u001b[K');
    },
  };
}

/** Prints a table that reads the same here and in a README.md. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(markdownTable(head, rows));
}
