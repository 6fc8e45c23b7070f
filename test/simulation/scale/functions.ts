import { handler as publishEvent } from '../../../functions/topics/publish-event.ts';
import type { Job } from '../../../shared/contract/background-functions.ts';
import { exportDeliveries, exportJournal, jobs } from '../../../shared/contract/jobs.ts';
import { type GivenSettings, settingsOf } from '../../harness/variables.ts';
import type { FunctionFacts } from '../lambda/platform.ts';

// The maximum integration timeout of API Gateway.
const apiTimeoutMs = 29_000;

export const publishFunction: FunctionFacts = { name: 'publishEvent', timeoutMs: apiTimeoutMs, handler: publishEvent };

const exports: readonly string[] = [exportJournal.job, exportDeliveries.job];

interface Scheduled {
  readonly facts: FunctionFacts;
  readonly everyMinutes: number;
  readonly isExport: boolean;
}

/** Returns the scheduled jobs with their intervals. */
export async function scheduledJobs(): Promise<Scheduled[]> {
  const scheduled = (jobs as readonly Job[]).filter(({ everyMinutes }) => everyMinutes !== undefined);
  return Promise.all(
    scheduled.map(async ({ job, file, timeoutSeconds, everyMinutes = 1, memoryMegabytes }) => {
      const { href } = new URL(`../../../functions/${file}.ts`, import.meta.url);
      const { handler } = (await import(href)) as Pick<FunctionFacts, 'handler'>;
      const memory = memoryMegabytes === undefined ? {} : { memoryMegabytes };
      return {
        facts: { name: job, timeoutMs: timeoutSeconds * 1000, handler, ...memory },
        everyMinutes,
        isExport: exports.includes(job),
      };
    }),
  );
}

/** Returns the time after which deployed functions stop waiting for a receiver. */
export const receiverTimeoutMs = (settings: GivenSettings): number =>
  Number(settingsOf(settings).receiverTimeoutSeconds) * 1000;
