import { minPerSecond } from '../../shared/contract/concurrency.ts';
import { sweep } from '../../shared/contract/jobs.ts';
import { internalErrorLogged } from '../../shared/contract/log-lines.ts';
import { sweepDueRows } from '../../shared/delivery/sweep/sweep-due-rows.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { onFailed } from '../../shared/lambda/report-delivery.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { backlog } from '../../shared/storage/queues/backlog.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = perform(sweep, [deliveries, subscriptions, queues, backlog], (_, tools) =>
  sweepDueRows({
    ...tools,
    onFailed,
    onOldest: (dueForMs) => addMetric('OldestDue', dueForMs / 1000),
    leastPerSecond: (queue) => minPerSecond(queue, tools.settings),
    onError: (error, { messageId, taskKey }) =>
      logError(internalErrorLogged, error, { job: sweep.job, messageId, taskKey }),
  }),
);
