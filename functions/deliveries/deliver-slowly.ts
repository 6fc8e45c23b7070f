import { deliverSlowly } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/engine/deliver-task.ts';
import { httpEngine } from '../../shared/delivery/http/http-context.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { deliveries } from '../../shared/storage/deliveries/ledger.ts';
import { retryQueue, slowQueue } from '../../shared/storage/queues/queues.ts';
import { signingSecret } from '../../shared/storage/secrets/secrets.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, deliveries, retryQueue, slowQueue, signingSecret] as const;
const engine = httpEngine(onFailed);

export const handler = consume(deliverSlowly, stores, (jobs, tools, isRepeated) =>
  deliverAll(jobs, isRepeated, engine(tools)),
);
