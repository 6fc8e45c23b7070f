import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../infra/esbuild-options.ts';
import { machine, printTable } from './terminal.ts';

/** A row of a report: what stands in its columns, by their titles. */
export type ReportRow = Readonly<Record<string, string>>;

/**
 * Prints what a part of the bench measured, and keeps it with its figures in `.local/bench/`, so that the next time can be
 * compared with this one.
 */
export async function report(part: string, how: string, rows: readonly ReportRow[], figures: unknown): Promise<void> {
  const head = Object.keys(rows[0] ?? {});
  console.log(`${how}; ${machine()}\n`);
  printTable(
    head,
    rows.map((row) => head.map((title) => row[title] ?? '')),
  );
  const folder = join(root, '.local/bench');
  await mkdir(folder, { recursive: true });
  const kept = { part, how, machine: machine(), at: new Date().toISOString(), rows, figures };
  await writeFile(join(folder, `${part}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}
