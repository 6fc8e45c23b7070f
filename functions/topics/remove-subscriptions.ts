import { removeSubscriptions } from '../../shared/contract/workers.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

export const handler = consume(removeSubscriptions, [topics, subscriptions], (payloads, { topics, subscriptions }) =>
  Promise.allSettled(
    payloads.map(async ({ topicUuid, before }) => {
      const present = await topics.get(topicUuid);
      await subscriptions.removeAll(topicUuid, before, present?.generation);
    }),
  ),
);
