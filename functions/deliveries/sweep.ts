import { sweep } from '../../shared/contract/jobs.ts';
import { leastPerSecond } from '../../shared/contract/lane-pace.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { sweepOnce } from '../../shared/delivery/engine/sweep.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logFault } from '../../shared/lambda/logger.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { backlog } from '../../shared/storage/queues/backlog.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = perform(sweep, [ledger, subscriptions, queues, backlog], (_, tools) =>
  sweepOnce({
    ...tools,
    onFailed,
    onOldest: (dueForMs) => addMetric('OldestDue', dueForMs / 1000),
    leastPerSecond: (queue) => leastPerSecond(queue, tools.settings),
    onFault: (error, { messageId, taskKey }) => logFault(faultLogged, error, { job: sweep.job, messageId, taskKey }),
  }),
);
