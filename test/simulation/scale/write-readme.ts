import { readFile, writeFile } from 'node:fs/promises';
import { fillTables } from '../../../infra/docs/fill-tables.ts';
import { markdownTable } from '../../../infra/docs/markdown-table.ts';
import { regions } from '../../../infra/docs/prices.ts';
import { parseArguments, readNumber } from '../../../infra/operate/command-line.ts';
import { startHelper } from '../../bench/process.ts';
import type { Figures } from './run-for-readme.ts';

/** The runs in the table: their names, numbers of subscribers, and other arguments. */
const runs = [
  ['1,000,000 subscribers', 1_000_000, ''],
  ['1,000,000 subscribers, tables warmed', 1_000_000, '--settings warmWritesPerSecond=12000'],
  ['300,000 subscribers, a body of 256 KB', 300_000, '--body 256KB'],
] as const;

const options = {
  readme: { type: 'boolean' },
  only: { type: 'string' },
} as const;

const head = ['topic', '50 %', '99 %', '100 %', 'lost', 'duplicate', 'first limit', ...regions, 'CPU of the run'];
const seconds = (ms: number | undefined): string => (ms === undefined ? 'not reached' : `${(ms / 1000).toFixed(1)} s`);

function cellsOf({ ms, lost, duplicates, firstLimit, dollars, cpuSeconds }: Figures): string[] {
  return [
    ...[ms.p50, ms.p99, ms.all].map(seconds),
    ...[String(lost), String(duplicates), firstLimit, ...dollars.map((one) => `$${one.toFixed(2)}`)],
    `${(cpuSeconds / 60).toFixed(1)} min`,
  ];
}

/** Returns the cells of all table rows in a Markdown text, keyed by each row's first cell. */
const rowsIn = (text: string): Map<string, string[]> =>
  new Map(
    [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => {
      const [name = '', ...cells] = row.split(' | ').map((cell) => cell.trim());
      return [name, cells];
    }),
  );

async function play(subscribers: number, args: string): Promise<Figures> {
  const memory = { NODE_OPTIONS: '--max-old-space-size=8192 --max-semi-space-size=256' };
  const helper = startHelper<readonly string[], Figures>(new URL('run-for-readme.ts', import.meta.url), memory);
  const given = ['--subscribers', String(subscribers), ...args.split(' ').filter((arg) => arg !== '')];
  return helper.ask(given).finally(() => helper.stop());
}

/**
 * Runs the simulations one after another, and writes each row into the simulator's README when its simulation ends.
 * Returns the exit code: 0 if no delivery was lost or repeated.
 * @param args `--only N` (simulates only the Nth row; the other rows stay the same)
 */
export async function writeReadme(args: readonly string[]): Promise<number> {
  const { values } = parseArguments(args, options, 'npm run simulate -- --help');
  const only = values.only === undefined ? undefined : readNumber('only', values.only, 1, runs.length);
  const chosen = runs.filter((_, index) => only === undefined || index === only - 1);
  const file = new URL('../README.md', import.meta.url);
  let broken = 0;
  for (const [name, subscribers, rest] of chosen) {
    console.log(`simulating: ${name} ...`);
    const figures = await play(subscribers, rest);
    broken += figures.lost + figures.duplicates;
    const text = await readFile(file, 'utf8');
    const rows = rowsIn(text).set(name, cellsOf(figures));
    const known = runs.flatMap(([one]) => (rows.has(one) ? [[one, ...(rows.get(one) ?? [])]] : []));
    const table = markdownTable(head, known);
    console.log(`\n${table}`);
    const date = new Date().toISOString().slice(0, 10);
    await writeFile(file, fillTables(text, { runs: table }, 'npm run simulate -- --readme', date));
  }
  return broken === 0 ? 0 : 1;
}
