import { type QueueName, queues } from '../../../../shared/contract/queues.ts';
import type { AwsClient } from '../../aws/emulators/aws-client.ts';
import type { QueueDepth } from '../../console/page/state.ts';

const counted = {
  waiting: 'ApproximateNumberOfMessages',
  inFlight: 'ApproximateNumberOfMessagesNotVisible',
  delayed: 'ApproximateNumberOfMessagesDelayed',
};

async function depthOf(sqs: AwsClient, QueueUrl: string | undefined) {
  const { Attributes = {} } = await sqs<{ Attributes?: Record<string, string> }>('AmazonSQS.GetQueueAttributes', {
    QueueUrl,
    AttributeNames: Object.values(counted),
  });
  const read = (name: keyof typeof counted): number => Number(Attributes[counted[name]] ?? 0);
  return { waiting: read('waiting'), inFlight: read('inFlight'), delayed: read('delayed') };
}

/** How much each queue of the contract holds, and what was put aside. */
export const readQueues = (sqs: AwsClient, urls: Readonly<Record<string, string>>): Promise<QueueDepth[]> =>
  Promise.all(
    (Object.keys(queues) as QueueName[]).map(async (name): Promise<QueueDepth> => {
      const [own, dead] = await Promise.all([depthOf(sqs, urls[name]), depthOf(sqs, urls[`${name}DeadLetters`])]);
      return { name, carries: queues[name], ...own, dead: dead.waiting + dead.inFlight };
    }),
  );
