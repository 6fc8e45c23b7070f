import { cpus } from 'node:os';

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

/** A Markdown table with its columns lined up, so that it reads the same here and in a README.md. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
}
