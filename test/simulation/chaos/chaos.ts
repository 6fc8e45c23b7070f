import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { OptionError, parseArguments } from '../../../infra/operate/command-line.ts';
import type { Broken } from './judged.ts';
import { playSeeds, type Result, type Seeds, sumOf } from './play-seeds.ts';

const options = {
  chaos: { type: 'boolean' },
  seeds: { type: 'string', default: '1000' },
  from: { type: 'string', default: '1' },
  jobs: { type: 'string', default: String(availableParallelism()) },
  trace: { type: 'boolean', default: false },
  first: { type: 'boolean', default: false },
} as const;

// Of one seed; the first says the most.
const mostLines = 5;
// Whoever has broken twenty will break more.
const mostSeeds = 20;

const write = (line: string): void => void process.stdout.write(`${line}\n`);

const number = (name: string, text: string, least: number): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new OptionError(`--${name} must be a whole number, ${least} or more, not "${text}"`);
  return value;
};

const told = (seed: number, { invariant, what }: Broken): string => `seed ${seed} breaks "${invariant}": ${what}`;

/** Tells of a seed that broke a promise, and how to see it step by step. */
function tell({ seed, broken }: Result): void {
  for (const one of broken.slice(0, mostLines)) write(told(seed, one));
  if (broken.length > mostLines) write(`  and ${broken.length - mostLines} more`);
  if (broken.length > 0) write(`  npm run simulate -- --chaos --from ${seed} --seeds 1 --trace`);
}

/** Plays every `jobs`-th seed in a thread of its own, which hands over each result. */
function inThread(seeds: Seeds, hear: (result: Result) => void): { worker: Worker; ending: Promise<void> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: seeds });
  const ending = new Promise<void>((resolve, reject) => {
    worker.on('message', hear);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
  return { worker, ending };
}

/**
 * Plays seeds, and tells of each that breaks a promise. Answers the exit code: 0 when all were kept.
 * @param args `--seeds`, `--from`, `--jobs` (threads), `--trace` (every step), `--first` (stop at the first that breaks one)
 */
export async function chaosMode(args: readonly string[]): Promise<number> {
  const { values } = parseArguments(args, options, 'npm run simulate -- --help');
  const from = number('from', values.from, 0);
  const count = number('seeds', values.seeds, 1);
  const jobs = values.trace ? 1 : Math.min(count, number('jobs', values.jobs, 1));
  const began = process.hrtime.bigint();
  const results: Result[] = [];
  const threads: ReturnType<typeof inThread>[] = [];
  const hear = (result: Result): void => {
    results.push(result);
    if (results.filter(({ broken }) => broken.length > 0).length <= mostSeeds) tell(result);
    if (values.first && result.broken.length > 0) for (const { worker } of threads) void worker.terminate();
  };
  if (jobs === 1) {
    const isOver = () => values.first && results.some(({ broken }) => broken.length > 0);
    await playSeeds({ from, to: from + count, step: 1 }, hear, isOver, values.trace ? write : undefined);
  } else {
    for (let job = 0; job < jobs; job++)
      threads.push(inThread({ from: from + job, to: from + count, step: jobs }, hear));
    await Promise.all(threads.map(({ ending }) => ending));
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const broken = results.filter((result) => result.broken.length > 0).map(({ seed }) => seed);
  write(`${sumOf(results)}, in ${seconds.toFixed(1)} s`);
  write(
    broken.length === 0
      ? 'every promise was kept'
      : `promises were broken by ${broken.length}: ${broken
          .toSorted((a, b) => a - b)
          .slice(0, 20)
          .join(' ')}`,
  );
  return broken.length === 0 ? 0 : 1;
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  await playSeeds(workerData as Seeds, (result) => port.postMessage(result));
}
