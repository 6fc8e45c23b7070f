import { readFile, writeFile } from 'node:fs/promises';
import { fillTables } from '../../../infra/docs/fill-tables.ts';
import { markdownTable } from '../../../infra/docs/markdown-table.ts';
import { regions } from '../../../infra/docs/prices.ts';
import { startHelper } from '../../bench/process.ts';
import type { Figures } from './run-for-readme.ts';

// The arguments of each run, and its name in the table.
const runs: Readonly<Record<string, string>> = {
  '1,000,000 subscribers': '--subscribers 1000000',
  '1,000,000 subscribers, tables warmed': '--subscribers 1000000 --settings warmWritesPerSecond=12000',
  '300,000 subscribers, a body of 256 KB': '--subscribers 300000 --body 256KB',
};

const seconds = (ms: number | undefined): string => (ms === undefined ? 'not reached' : `${(ms / 1000).toFixed(1)} s`);

/** Plays the runs one after the other and writes their figures into the simulator's README. Takes about an hour. */
export async function writeReadme(): Promise<number> {
  const rows: string[][] = [];
  let broken = 0;
  for (const [name, args] of Object.entries(runs)) {
    console.log(`simulating: ${name} ...`);
    const memory = { NODE_OPTIONS: '--max-old-space-size=8192 --max-semi-space-size=256' };
    const helper = startHelper<readonly string[], Figures>(new URL('run-for-readme.ts', import.meta.url), memory);
    const figures = await helper.ask(args.split(' ')).finally(() => helper.stop());
    broken += figures.lost + figures.duplicates;
    const { p50, p99, all } = figures.ms;
    rows.push([
      ...[name, ...[p50, p99, all].map(seconds), String(figures.lost), String(figures.duplicates)],
      ...[figures.firstLimit, ...figures.dollars.map((dollars) => `$${dollars.toFixed(2)}`)],
      `${(figures.cpuSeconds / 60).toFixed(1)} min`,
    ]);
  }
  const head = ['topic', '50 %', '99 %', '100 %', 'lost', 'duplicate', 'first limit', ...regions, 'CPU of the run'];
  const table = markdownTable(head, rows);
  console.log(`\n${table}`);
  const file = new URL('../README.md', import.meta.url);
  const date = new Date().toISOString().slice(0, 10);
  const command = 'npm run simulate -- --readme';
  await writeFile(file, fillTables(await readFile(file, 'utf8'), { runs: table }, command, date));
  return broken === 0 ? 0 : 1;
}
