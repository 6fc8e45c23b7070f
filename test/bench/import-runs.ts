import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { peakMegabytes } from '../harness/peak-memory.ts';
import { cpuMsOf } from '../harness/process-load.ts';
import type { GivenSettings } from '../harness/variables.ts';
import type { ImportFigures, ImportRun } from './import-process.ts';
import type { ImportWorld } from './import-world.ts';
import { startHelper } from './process.ts';

const pollMs = 20;

export interface Runs {
  readonly runs: number;
  readonly seconds: number;
  readonly lines: number;
  readonly calls: number;
  readonly writeUnits: number;
  readonly cpuMs: number;
  /** CPU time until all lines are checked. */
  readonly checkCpuMs: number;
  /** The peak memory of the process: until all lines are checked, until a tenth of the lines has been applied, and in total. */
  readonly megabytes: { readonly checked: number; readonly tenth: number; readonly all: number };
}

interface Told {
  readonly sha256: string;
  readonly lines: number;
  readonly settings: GivenSettings;
  readonly functionSeconds?: number;
  readonly mostRuns?: number;
  readonly onLines?: (applied: number) => void;
}

/** Runs the import function in a separate process until the queue is empty. */
export async function runImports(world: ImportWorld, told: Told): Promise<Runs> {
  const { sqs, importsUrl: QueueUrl, fauxqs } = world;
  const { sha256, lines, settings, functionSeconds = importTimes.functionSeconds, mostRuns = Infinity } = told;
  const isQueued = (): boolean => {
    const { ready = [], delayed = [] } = fauxqs.inspectQueue('imports')?.messages ?? {};
    return ready.length + delayed.length > 0;
  };
  const receive = async (): Promise<Message | undefined> =>
    (await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 3600, WaitTimeSeconds: 5 })))
      .Messages?.[0];
  /** Returns how many lines are applied; undefined while the lines are being checked. */
  const appliedSoFar = async (): Promise<number | undefined> => {
    const state = await world.state(sha256);
    return state?.checkedAt === undefined ? undefined : state.counts.lines;
  };

  const begun = performance.now();
  const megabytes = { checked: 0, tenth: 0, all: 0 };
  const sums = { lines: 0, calls: 0, writeUnits: 0, cpuMs: 0, checkCpuMs: 0 };
  let runs = 0;
  const environment = world.environment(settings);
  const helper = startHelper<ImportRun, ImportFigures>(new URL('./import-process.ts', import.meta.url), environment);
  try {
    while (runs < mostRuns && isQueued()) {
      const message = await receive();
      if (message === undefined) continue;
      runs += 1;
      const from = (await appliedSoFar()) ?? 0;
      let isOver = false;
      const running = helper.ask({ body: message.Body ?? '', functionSeconds }).finally(() => {
        isOver = true;
      });
      const cpuBefore = cpuMsOf(helper.pid);
      let checkMs = 0;
      for (; !isOver; await sleep(pollMs)) {
        const applied = await appliedSoFar();
        const peak = peakMegabytes(helper.pid);
        megabytes.all = peak;
        if (applied === undefined) {
          checkMs = cpuMsOf(helper.pid) - cpuBefore;
          megabytes.checked = peak;
        }
        if ((applied ?? 0) <= lines / 10) megabytes.tenth = peak;
        told.onLines?.(applied ?? 0);
      }
      const figures = await running;
      if (figures.failures > 0) throw new Error('a run failed: see the output above');
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
      sums.checkCpuMs += checkMs;
      sums.lines += ((await appliedSoFar()) ?? 0) - from;
      sums.calls += figures.calls;
      sums.writeUnits += figures.writeUnits;
      sums.cpuMs += figures.cpuMs;
    }
  } finally {
    await helper.stop();
  }
  return { runs, seconds: (performance.now() - begun) / 1000, ...sums, megabytes };
}
