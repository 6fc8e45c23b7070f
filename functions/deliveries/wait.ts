import { wait } from '../../shared/contract/workers.ts';
import { laneOfTask } from '../../shared/domain/deliveries/channels.ts';
import { nextHopSeconds } from '../../shared/domain/deliveries/retry.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { queues } from '../../shared/storage/queues/store.ts';

export const handler = consume(wait, [queues], async (payloads, { queues, now }) => {
  const hops = payloads.map((payload) => {
    const { task, notBefore } = payload;
    const group = task.subscriptionUuids[0] ?? task.content.messageId;
    return { payload, group, delaySeconds: nextHopSeconds(notBefore, now()) };
  });
  const waiting = hops.filter(({ delaySeconds }) => delaySeconds > 0);
  const ended = hops.filter(({ delaySeconds }) => delaySeconds === 0);
  const due = ended.map(({ payload, group }) => ({ payload: payload.task, group }));
  const sending = new Map(
    [...Map.groupBy(due, ({ payload }) => laneOfTask(payload))].map(([queue, sendings]) => [
      queue,
      queues[queue].sendMany(sendings),
    ]),
  );
  const hopping = queues.retry.sendMany(waiting);
  // If sending to a queue fails, all payloads for that queue are retried, because a duplicate is better than a loss.
  return Promise.allSettled(
    hops.map(({ delaySeconds, payload }) => (delaySeconds === 0 ? sending.get(laneOfTask(payload.task)) : hopping)),
  );
});
