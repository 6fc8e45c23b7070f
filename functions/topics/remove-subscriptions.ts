import { removeSubscriptions } from '../../shared/contract/workers.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';

export const handler = consume(removeSubscriptions, [subscriptions], (jobs, { subscriptions }) =>
  Promise.allSettled(jobs.map((topic) => subscriptions.removeAll(topic))),
);
