import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { cpuMsOf, peakMegabytes } from '../harness/peak-memory.ts';
import type { GivenSettings } from '../harness/variables.ts';
import type { ImportFigures, ImportRun } from './import-process.ts';
import type { ImportWorld } from './import-world.ts';
import { startHelper } from './process.ts';

const pollMs = 20;

export interface Runs {
  readonly runs: number;
  readonly kills: { readonly check: number; readonly apply: number };
  readonly seconds: number;
  /** The totals of all runs that were not killed. The lines of a killed run are counted in the next run. */
  readonly lines: number;
  readonly calls: number;
  readonly writeUnits: number;
  readonly cpuMs: number;
  /** The CPU time until all lines are checked, including the CPU time of killed runs. */
  readonly checkCpuMs: number;
  /** The peak memory in MB until all lines are checked, until a tenth of the lines is applied, and until the end. */
  readonly megabytes: { readonly checked: number; readonly tenth: number; readonly all: number };
}

interface Told {
  readonly sha256: string;
  /** The CPU times, in milliseconds, after which the benchmark kills runs that check lines. */
  readonly killChecksAfter: readonly number[];
  /** The numbers of applied lines after which the benchmark kills runs. */
  readonly killAt: readonly number[];
  readonly lines: number;
  readonly settings: GivenSettings;
  readonly functionSeconds?: number;
  readonly mostRuns?: number;
  readonly onLines?: (applied: number) => void;
}

/** Runs the import function until the queue is empty, in a process that is killed and restarted several times. */
export async function runImports(world: ImportWorld, told: Told): Promise<Runs> {
  const { sqs, importsUrl: QueueUrl, fauxqs, notes } = world;
  const {
    sha256,
    killChecksAfter,
    killAt,
    lines,
    settings,
    functionSeconds = importTimes.functionSeconds,
    mostRuns = Infinity,
  } = told;
  const start = () =>
    startHelper<ImportRun, ImportFigures>(new URL('./import-process.ts', import.meta.url), world.environment(settings));
  const isQueued = (): boolean => {
    const { ready = [], delayed = [] } = fauxqs.inspectQueue('imports')?.messages ?? {};
    return ready.length + delayed.length > 0;
  };
  const receive = async (): Promise<Message | undefined> =>
    (await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 3600, WaitTimeSeconds: 5 })))
      .Messages?.[0];
  const noted = (): number => statSync(notes, { throwIfNoEntry: false })?.size ?? 0;
  const appliedSoFar = async (): Promise<number> => {
    const state = await world.state(sha256);
    return state?.checkedAt === undefined ? 0 : state.counts.lines;
  };

  const begun = performance.now();
  const before = noted();
  const megabytes = { checked: 0, tenth: 0, all: 0 };
  const sums = { lines: 0, calls: 0, writeUnits: 0, cpuMs: 0, checkCpuMs: 0 };
  const kills = { check: 0, apply: 0 };
  let [runs, laterMs] = [0, 0];
  let helper = start();
  try {
    while (runs < mostRuns && isQueued()) {
      const message = await receive();
      if (message === undefined) continue;
      runs += 1;
      const from = await appliedSoFar();
      let [isOver, isKilled] = [false, false];
      const asked = helper.ask({ body: message.Body ?? '', functionSeconds, laterMs });
      const running = asked
        .catch((error: unknown) => {
          if (!isKilled) throw error;
        })
        .finally(() => {
          isOver = true;
        });
      const due = { check: killChecksAfter[kills.check] ?? Infinity, apply: killAt[kills.apply] ?? Infinity };
      const cpuBefore = cpuMsOf(helper.pid);
      let [checkMs, pass]: [number, keyof typeof kills] = [0, 'check'];
      for (; !isOver; await sleep(pollMs)) {
        pass = (await world.state(sha256))?.checkedAt === undefined ? 'check' : 'apply';
        if (pass === 'check') checkMs = cpuMsOf(helper.pid) - cpuBefore;
        const applied = (noted() - before) / 4;
        const peak = peakMegabytes(helper.pid);
        megabytes.all = Math.max(megabytes.all, peak);
        if (pass === 'check') megabytes.checked = Math.max(megabytes.checked, peak);
        if (applied <= lines / 10) megabytes.tenth = Math.max(megabytes.tenth, peak);
        told.onLines?.(applied);
        if (pass === 'check' ? checkMs >= due.check : applied >= due.apply) {
          isKilled = true;
          await helper.kill();
          break;
        }
      }
      const figures = await running;
      sums.checkCpuMs += checkMs;
      const { ReceiptHandle } = message;
      if (figures === undefined) {
        kills[pass] += 1;
        // Moves the clock past the lease of the killed run, and makes the run's queue message visible again.
        laterMs += (importTimes.leaseSeconds + 1) * 1000;
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
        helper = start();
        continue;
      }
      if (figures.failures > 0) throw new Error('a run failed: see the output above');
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      sums.lines += (await appliedSoFar()) - from;
      sums.calls += figures.calls;
      sums.writeUnits += figures.writeUnits;
      sums.cpuMs += figures.cpuMs;
    }
  } finally {
    await helper.stop();
  }
  return { runs, kills, seconds: (performance.now() - begun) / 1000, ...sums, megabytes };
}
