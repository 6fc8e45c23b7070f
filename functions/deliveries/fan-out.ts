import { fanOut } from '../../shared/contract/workers.ts';
import { bucketBits, planTasks } from '../../shared/domain/plan-tasks.ts';
import { consume, type WorkerTools } from '../../shared/lambda/consume.ts';
import type { DeliveryTask, FanOutJob } from '../../shared/model/message.ts';
import { deliveries } from '../../shared/storage/deliveries.ts';
import { emailQueue, httpQueue, type Sending } from '../../shared/storage/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';

const stores = [subscriptions, deliveries, httpQueue, emailQueue] as const;

// A longer body is kept once in the ledger, and its tasks name the message only.
const inlineBytes = 4096;

export const handler = consume(fanOut, stores, (jobs, tools) =>
  Promise.allSettled(jobs.map((job) => fanOutOne(job, tools))),
);

async function fanOutOne({ jobId, notification }: FanOutJob, tools: WorkerTools<typeof fanOut, typeof stores>) {
  const { messageId, topicUuid, topicName, subject, timestamp, bodyBase64 } = notification;
  const active = (await Array.fromAsync(tools.subscriptions.active(notification))).flat();
  if (active.length === 0) return;

  const isLong = Buffer.byteLength(bodyBase64, 'base64') > inlineBytes;
  const opened = await tools.deliveries.open({
    ...{ messageId, jobId, topicUuid, topicName, subject, timestamp },
    bits: bucketBits(active.length, tools.settings.subscriptionsPerTask),
    bodyBase64: isLong ? bodyBase64 : undefined,
    expiresAt: Math.floor(tools.now() / 1000) + tools.settings.ledgerDays * 24 * 3600,
  });
  // Published again under the same Idempotency-Key: the first publication delivers it.
  if (opened !== undefined && opened.jobId !== jobId) return;

  const content = { ...notification, type: 'Notification' as const, ...(isLong ? { bodyBase64: undefined } : {}) };
  const bits = opened?.bits ?? bucketBits(active.length, tools.settings.subscriptionsPerTask);
  const sendings: Sending<DeliveryTask>[] = planTasks(active, bits).map((task) => ({
    group: topicUuid,
    job: { ...task, isSingle: false, attempt: 0, subscriptionUuids: [...task.subscriptionUuids], content },
  }));
  await Promise.all([
    tools.http.sendMany(sendings.filter(({ job }) => job.protocol === 'http')),
    tools.email.sendMany(sendings.filter(({ job }) => job.protocol === 'email')),
  ]);
}
