import type { SQSClient } from '@aws-sdk/client-sqs';
import { queues } from '../../../../../shared/contract/queue-names.ts';
import { readQueueDepth } from '../../../../operate/drain/queue-depth.ts';
import type { QueueDepth } from '../state.ts';
import type { OperatorNames } from './target.ts';

/** Reads the number of messages in each queue and in its dead-letter queue, which takes two requests per queue. */
export const readQueues = (sqs: SQSClient, urls: OperatorNames['queues']): Promise<QueueDepth[]> =>
  Promise.all(
    urls.map(async ({ name, url, deadUrl }): Promise<QueueDepth> => {
      const [main, dead] = await Promise.all([readQueueDepth(sqs, url), readQueueDepth(sqs, deadUrl)]);
      return { name, carries: queues[name], ...main, dead: dead.waiting + dead.inFlight };
    }),
  );
