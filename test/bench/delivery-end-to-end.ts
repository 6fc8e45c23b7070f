import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import { startLocalStack } from '../../infra/local/start.ts';
import type { QueueName } from '../../shared/contract/queue-names.ts';
import { scopes } from '../../shared/contract/scopes.ts';
import { type Aws, openAws } from '../harness/aws.ts';
import type { Found } from './delivery.ts';
import type { Arrivals, Load, Question } from './delivery-outside.ts';
import { quantile, whole } from './figures.ts';
import { startHelper } from './process.ts';
import type { ReportRow } from './report.ts';
import { progressBar } from './terminal.ts';

const topics = 10;
const warmSeconds = 75;
const drainSeconds = 90;

const atWork: readonly QueueName[] = ['fanOut', 'http', 'slow'];

/** Waits until the queues are empty, after which no delivery can arrive. */
async function drained(aws: Aws): Promise<void> {
  for (let round = 0; round < drainSeconds; round++) {
    const depths = await Promise.all(atWork.map((queue) => aws.depth(queue)));
    if (depths.every((depth) => depth === 0)) return;
    await sleep(1000);
  }
}

async function openStack() {
  const outdir = await mkdtemp(join(tmpdir(), 'bench-'));
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const assembly = synthesizeLocally({ outdir, baseUrl });
  const faults: string[] = [];
  const onLog = (line: string) => {
    if (/"level":"ERROR"|ERROR/.test(line)) faults.push(line);
  };
  const stack = await startLocalStack({ assembly, port, onLog });
  const token = await stack.issueToken({ scope: Object.keys(scopes).join(' ') });
  return {
    baseUrl,
    token,
    faults,
    aws: openAws(stack.outputs),
    async stop() {
      await stack.stop();
      await rm(outdir, { recursive: true, force: true });
    },
  };
}

type Pace = Pick<Load, 'perSecond' | 'seconds'>;
type Receivers = Pick<Load, 'hanging' | 'isSudden'>;
type OpenStack = Awaited<ReturnType<typeof openStack>>;

/** Returns the events that arrived and the stack's CPU time per event. */
async function measure({ baseUrl, token, aws }: OpenStack, receivers: Receivers, { perSecond, seconds }: Pace) {
  const load: Load = { baseUrl, token, topics, ...receivers, perSecond, warmSeconds, seconds };
  const outside = startHelper<Question, Arrivals>(new URL('./delivery-outside.ts', import.meta.url));
  const bar = progressBar('publishing', warmSeconds + seconds);
  let second = 0;
  const ticking = setInterval(() => bar.at(Math.min(warmSeconds + seconds, ++second)), 1000);
  try {
    const cpuBefore = process.cpuUsage();
    await outside.ask({ load, isOver: false });
    clearInterval(ticking);
    bar.end();
    await drained(aws);
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuMs = (user + system) / 1000 / (perSecond * (warmSeconds + seconds));
    return { cpuMs, arrivals: await outside.ask({ load, isOver: true }) };
  } finally {
    clearInterval(ticking);
    await outside.stop();
  }
}

const row = (receivers: string, { latencies, ...counts }: Arrivals, cpuMs: number): ReportRow => ({
  receivers,
  'p50 ms': whole(quantile(latencies, 0.5)),
  'p95 ms': whole(quantile(latencies, 0.95)),
  'p99 ms': whole(quantile(latencies, 0.99)),
  published: whole(counts.published),
  refused: whole(counts.refused),
  arrived: whole(latencies.length),
  'wrong or lost': whole(counts.wrong + counts.lost),
  again: whole(counts.duplicates),
  'CPU ms': cpuMs.toFixed(1),
});

/**
 * Measures the time from publishing to receiving through a running local stack, with and without receivers that hang.
 */
export async function endToEnd(parts: ReadonlySet<string>, rounds: number, pace: Pace): Promise<Found> {
  const stack = await openStack();
  try {
    const cases = [
      { part: 'c', what: 'all receivers respond', hanging: 0, isSudden: false },
      { part: 'd', what: '1 in 10 never responds', hanging: topics / 10, isSudden: false },
      { part: 'd', what: '1 in 10 stops responding', hanging: topics / 10, isSudden: true },
    ].filter(({ part }) => parts.has(part));
    const rows: ReportRow[] = [];
    const p95s = cases.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, { what, ...receivers }] of cases.entries()) {
        const { arrivals, cpuMs } = await measure(stack, receivers, pace);
        rows.push(row(what, arrivals, cpuMs));
        p95s[index]?.push(quantile(arrivals.latencies, 0.95));
      }
    }
    const title =
      `publish to receiver through the local stack: ${pace.perSecond} events/s for ${pace.seconds} s, ${topics} topics with one ` +
      'subscriber each; latencies of the receivers that respond';
    const [well = [], ...others] = p95s;
    const compared = others.map((ours, index) => ({
      what: `p95 of the responding receivers, ${cases[index + 1]?.what} / ${cases[0]?.what}`,
      unit: 'ms',
      ours,
      baseline: well,
    }));
    for (const fault of stack.faults.slice(0, 5)) console.log(`logged: ${fault.slice(0, 300)}`);
    return { compared, details: [{ title, rows }] };
  } finally {
    await stack.stop();
  }
}
