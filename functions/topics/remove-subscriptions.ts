import { removeSubscriptions } from '../../shared/contract/workers/registry-workers.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { timeOfInvocation, withinInvocation } from '../../shared/lambda/time-left.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

const stores = [topics, subscriptions, queues] as const;

// The time reserved for sending the remaining work to the queue as a new payload.
const handOverMs = 5000;

export const handler = consume(removeSubscriptions, stores, (payloads, { topics, subscriptions, queues }) =>
  Promise.allSettled(
    payloads.map(async (payload) => {
      const leftMs = timeOfInvocation();
      const hasTime = () => leftMs() > 2 * handOverMs;
      const present = async () => (await topics.get(payload.topicUuid))?.generation;
      const removing = () => subscriptions.removeByTopic(payload, present, hasTime);
      const removed = await withinInvocation(() => leftMs() - handOverMs, removing);
      if (removed.isDone) return;
      await queues.cleanUp.send({ payload: { ...payload, after: removed.after }, group: payload.topicUuid });
    }),
  ),
);
