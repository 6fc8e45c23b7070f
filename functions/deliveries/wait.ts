import { wait } from '../../shared/contract/workers.ts';
import { laneOfTask } from '../../shared/domain/deliveries/channels.ts';
import { nextHop } from '../../shared/domain/deliveries/retry.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { queues } from '../../shared/storage/queues/store.ts';

export const handler = consume(wait, [queues], async (payloads, { queues, now }) => {
  const hops = payloads.map((payload) => {
    const { task, notBefore } = payload;
    const group = task.subscriptionUuids[0] ?? task.content.messageId;
    return { payload, group, hop: nextHop(notBefore, now()) };
  });
  const waiting = hops.flatMap(({ hop, ...rest }) => (hop.isDue ? [] : [{ ...rest, delaySeconds: hop.delaySeconds }]));
  const due = hops.flatMap(({ hop, payload, group }) => (hop.isDue ? [{ payload: payload.task, group }] : []));
  const sending = new Map(
    [...Map.groupBy(due, ({ payload }) => laneOfTask(payload))].map(([queue, sendings]) => [
      queue,
      queues[queue].sendMany(sendings),
    ]),
  );
  const hopping = queues.retry.sendMany(waiting);
  // If sending to a queue fails, all payloads for that queue are retried, because a duplicate is better than a loss.
  return Promise.allSettled(
    hops.map(({ hop, payload }) => (hop.isDue ? sending.get(laneOfTask(payload.task)) : hopping)),
  );
});
