import { handler as deliverByEmail } from '../../../functions/deliveries/deliver-by-email.ts';
import { handler as deleteTopic } from '../../../functions/topics/delete-topic.ts';
import { handler as publishEvent } from '../../../functions/topics/publish-event.ts';
import type { Job } from '../../../shared/contract/job.ts';
import { exportDeliveries, exportJournal, jobs } from '../../../shared/contract/jobs.ts';
import { queueHandlers } from '../../harness/queue-handlers.ts';
import { type GivenSettings, settingsOf } from '../../harness/variables.ts';
import type { FunctionFacts } from '../lambda/platform.ts';
import type { Receivers } from './receivers.ts';

/** The functions behind the queues, as they are deployed; those that deliver by http have the simulation's sender. */
export const workerHandlers = (settings: GivenSettings, receivers: Receivers, onFailed: () => void) => ({
  ...queueHandlers({ settings, sender: receivers.sender, onFailed, interference: () => ({}) }),
  email: deliverByEmail,
});

// API Gateway waits no longer.
const apiTimeoutMs = 29_000;

/** The functions of the API that a simulation calls. */
export const apiFunctions = {
  publishEvent: { name: 'publishEvent', timeoutMs: apiTimeoutMs, handler: publishEvent },
  deleteTopic: { name: 'deleteTopic', timeoutMs: apiTimeoutMs, handler: deleteTopic },
} as const satisfies Record<string, FunctionFacts>;

const exports: readonly string[] = [exportJournal.job, exportDeliveries.job];

interface Scheduled {
  readonly facts: FunctionFacts;
  readonly everyMinutes: number;
  readonly isExport: boolean;
}

/** The jobs that run by the clock, each with its minutes. */
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

/** How long a receiver by http may take, as its function is deployed. */
export const receiverTimeoutMs = (settings: GivenSettings): number =>
  Number(settingsOf(settings).receiverTimeoutSeconds) * 1000;
