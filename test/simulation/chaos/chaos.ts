import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { parseArguments, readNumber } from '../../../infra/operate/command-line.ts';
import { chosenEdits, isSmall } from '../edits/mode.ts';
import type { Violation } from './evidence.ts';
import { playSeeds, type Result, type Seeds, sumOf } from './play-seeds.ts';

const options = {
  chaos: { type: 'boolean' },
  seeds: { type: 'string', default: '1000' },
  from: { type: 'string', default: '1' },
  jobs: { type: 'string', default: String(availableParallelism()) },
  trace: { type: 'boolean', default: false },
  first: { type: 'boolean', default: false },
  small: { type: 'boolean', default: false },
} as const;

// The maximum number of printed violations per seed. The first violations are the most useful.
const maxLines = 5;
// The maximum number of failing seeds whose violations are printed.
const maxSeeds = 20;

const most = Number.MAX_SAFE_INTEGER;

const write = (line: string): void => void process.stdout.write(`${line}\n`);

const lineOf = (seed: number, { invariant, what }: Violation): string =>
  `seed ${seed} violates "${invariant}": ${what}`;

const modeOption = isSmall() ? ' --small' : '';

/** Prints the violations of a seed and the command that replays the seed step by step. */
function printViolations({ seed, broken }: Result): void {
  for (const one of broken.slice(0, maxLines)) write(lineOf(seed, one));
  if (broken.length > maxLines) write(`  and ${broken.length - maxLines} more`);
  if (broken.length > 0) write(`  npm run simulate -- --chaos${modeOption} --from ${seed} --seeds 1 --trace`);
}

/** Simulates the given seeds in a separate thread, and passes each result to a callback. */
function inThread(seeds: Seeds, onResult: (result: Result) => void): { worker: Worker; ending: Promise<void> } {
  const edits = chosenEdits().length > 0 ? ['--import', import.meta.resolve('../edits/apply.ts')] : [];
  const worker = new Worker(new URL(import.meta.url), {
    workerData: seeds,
    ...(edits.length > 0 ? { execArgv: edits } : {}),
  });
  const ending = new Promise<void>((resolve, reject) => {
    worker.on('message', onResult);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
  return { worker, ending };
}

/**
 * Simulates each seed and prints the violated promises. Returns the exit code: 0 if every seed kept every promise.
 * @param args `--seeds`, `--from`, `--jobs` (threads), `--trace` (print every step), `--first` (stop at the first
 * violation)
 */
export async function chaosMode(args: readonly string[]): Promise<number> {
  const { values } = parseArguments(args, options, 'npm run simulate -- --help');
  const from = readNumber('from', values.from, 0, most);
  const count = readNumber('seeds', values.seeds, 1, most);
  const jobs = values.trace ? 1 : Math.min(count, readNumber('jobs', values.jobs, 1, 64));
  const began = process.hrtime.bigint();
  const results: Result[] = [];
  const threads: ReturnType<typeof inThread>[] = [];
  const onResult = (result: Result): void => {
    results.push(result);
    if (results.filter(({ broken }) => broken.length > 0).length <= maxSeeds) printViolations(result);
    if (values.first && result.broken.length > 0) for (const { worker } of threads) void worker.terminate();
  };
  if (jobs === 1) {
    const isOver = () => values.first && results.some(({ broken }) => broken.length > 0);
    await playSeeds({ from, to: from + count, step: 1 }, onResult, isOver, values.trace ? write : undefined);
  } else {
    for (let job = 0; job < jobs; job++)
      threads.push(inThread({ from: from + job, to: from + count, step: jobs }, onResult));
    await Promise.all(threads.map(({ ending }) => ending));
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const broken = results.filter((result) => result.broken.length > 0).map(({ seed }) => seed);
  write(`${sumOf(results)}, in ${seconds.toFixed(1)} s`);
  write(
    broken.length === 0
      ? 'every promise was kept'
      : `${broken.length} seeds violated a promise: ${broken
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
