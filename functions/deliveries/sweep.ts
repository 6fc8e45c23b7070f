import { sweep } from '../../shared/contract/jobs.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { sweepOnce } from '../../shared/delivery/engine/sweep.ts';
import { logFault } from '../../shared/lambda/log.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = perform(sweep, [ledger, subscriptions, queues], (_, tools) =>
  sweepOnce({
    ...tools,
    onFault: (error, { messageId, taskKey }) => logFault(faultLogged, error, { job: sweep.job, messageId, taskKey }),
  }),
);
