import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { queues } from '../../../../../shared/contract/queue-names.ts';
import type { QueueDepth } from '../state.ts';
import type { OperatorNames } from './target.ts';

async function depthOf(sqs: SQSClient, QueueUrl: string) {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
  };
}

/** Reads the depths of all queues, with two requests per queue. */
export const readQueues = (sqs: SQSClient, urls: OperatorNames['queues']): Promise<QueueDepth[]> =>
  Promise.all(
    urls.map(async ({ name, url, deadUrl }): Promise<QueueDepth> => {
      const [main, dead] = await Promise.all([depthOf(sqs, url), depthOf(sqs, deadUrl)]);
      return { name, carries: queues[name], ...main, dead: dead.waiting + dead.inFlight };
    }),
  );
