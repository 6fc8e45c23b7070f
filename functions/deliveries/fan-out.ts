import { fanOut } from '../../shared/contract/workers.ts';
import { fanOutPart, fanOutWhole } from '../../shared/delivery/engine/fan-out.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { deliveries } from '../../shared/storage/deliveries/ledger.ts';
import { emailQueue, fanOutQueue, httpQueue } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, deliveries, fanOutQueue, httpQueue, emailQueue] as const;

export const handler = consume(fanOut, stores, (jobs, tools) =>
  Promise.allSettled(
    jobs.map((job) => (job.segment === undefined ? fanOutWhole(job, tools) : fanOutPart(job, job.segment, tools))),
  ),
);
