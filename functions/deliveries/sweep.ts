import { sweep } from '../../shared/contract/jobs.ts';
import { sweepOnce } from '../../shared/delivery/engine/sweep.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { emailQueue, fanOutQueue, slowQueue } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [ledger, subscriptions, fanOutQueue, slowQueue, emailQueue] as const;

export const handler = perform(sweep, stores, (_, tools) => sweepOnce({ ...tools, http: tools.slow }));
