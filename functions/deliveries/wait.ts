import { wait } from '../../shared/contract/workers.ts';
import { nextHop } from '../../shared/domain/deliveries/hop.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { emailQueue, retryQueue, slowQueue } from '../../shared/storage/queues/queues.ts';

export const handler = consume(wait, [retryQueue, slowQueue, emailQueue], async (payloads, tools) => {
  const hops = payloads.map((payload) => {
    const group = payload.task.subscriptionUuids[0] ?? payload.task.content.messageId;
    return { payload, group, hop: nextHop(payload.notBefore, tools.now(), tools.settings.hopSeconds) };
  });
  const due = (protocol: 'http' | 'email') =>
    hops
      .filter(({ payload, hop }) => hop.isDue && payload.task.protocol === protocol)
      .map(({ payload, group }) => ({ payload: payload.task, group }));
  const waiting = hops.flatMap(({ payload, group, hop }) =>
    hop.isDue ? [] : [{ payload, group, delaySeconds: hop.delaySeconds }],
  );
  const sent = await Promise.allSettled([
    tools.slow.sendMany(due('http')),
    tools.email.sendMany(due('email')),
    tools.retry.sendMany(waiting),
  ]);
  // Sent twice does no harm, lost does: where one request failed, the payloads of that kind go back to the queue.
  return hops.map(
    ({ payload, hop }) => sent[hop.isDue ? (payload.task.protocol === 'http' ? 0 : 1) : 2],
  ) as typeof sent;
});
