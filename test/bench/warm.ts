import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, ratio, spread } from './figures.ts';
import { checkNames, optionsOf } from './parts.ts';
import { startHelper } from './process.ts';
import { figure, type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';
import type { WarmQuestion as AwsQuestion } from './warm-aws.ts';
import { recordWarm, type WarmProcess } from './warm-functions.ts';

// Measures the CPU time of a warm request for each operation. The deployed function alternates with a bare function
// that makes the same AWS calls. `npm run bench -- warm --rounds 15 --requests 80 --operations readPerson,publishEvent`

const { rounds, requests: times, operations: wanted } = optionsOf('warm');
/** The CPU ratio is stable after 480 requests, although both functions still become slightly faster. */
const warmUps = 480;
const warmUpRounds = Math.ceil(warmUps / times);

/** The target: the CPU ratio to the bare function is at most 1.1. */
const target = 1.1;

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const aws = startHelper<AwsQuestion, unknown>(new URL('warm-aws.ts', import.meta.url));

interface Measured {
  readonly cpu: number[];
  readonly calls: number[];
}

/** Measures our function and the bare function alternately. Each function runs in one process for all rounds. */
async function measure(
  name: string,
  event: string,
  sides: readonly WarmProcess[],
  onRound: () => void,
): Promise<Measured[]> {
  const found = sides.map((): Measured => ({ cpu: [], calls: [] }));
  await aws.ask({ ask: 'replay', name });
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const before = Number(await aws.ask({ ask: 'count' }));
      const { cpu } = await side.ask({ event, times });
      const calls = (Number(await aws.ask({ ask: 'count' })) - before) / times;
      if (round < 0) continue;
      found[index]?.cpu.push(cpu);
      found[index]?.calls.push(calls);
    }
    onRound();
  }
  return found;
}

function rowOf(operation: string, ours: Measured, bare: Measured): ReportRow {
  const ratios = ours.cpu.map((cpu, round) => cpu / (bare.cpu[round] ?? Number.NaN));
  return {
    operation,
    'AWS calls': figure(median(ours.calls)),
    'ours, µs': spread(ours.cpu, 0),
    'bare, µs': spread(bare.cpu, 0),
    ratio: ratio(median(ratios)),
    target: `≤ ${ratio(target)}`,
  };
}

const rows: ReportRow[] = [];
const figures: Record<string, unknown> = {};
try {
  const { events, startOurs, startBare } = await recordWarm(aws, folder);
  checkNames('operations', wanted, Object.keys(events));
  const operations = Object.entries(events).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  const bar = progressBar('rounds', operations.length * (warmUpRounds + rounds));
  let passed = 0;
  const onRound = () => {
    passed += 1;
    bar.at(passed);
  };
  for (const [name, [, event]] of operations) {
    const sides = [startOurs(name), await startBare(name)];
    const [ours, bare] = (await measure(name, JSON.stringify(event), sides, onRound)) as [Measured, Measured];
    for (const side of sides) await side.stop();
    figures[name] = { ours, bare };
    rows.push(rowOf(name, ours, bare));
  }
  bar.end();
  const how = `${rounds} alternating rounds of ${times} requests; median (and least) CPU per request, of the function's process only`;
  await report('warm', how, rows, figures);
} finally {
  await aws.stop();
  await rm(folder, { recursive: true, force: true });
}
