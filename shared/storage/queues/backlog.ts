import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { defineStore } from '../../contract/define-store.ts';
import { type DeliveryQueue, deliveryQueues } from '../../contract/queue-names.ts';
import type { QueueLoad } from '../../domain/deliveries/sweep-decision.ts';
import { sqs } from './sqs.ts';

const heldIn = async (client: SQSClient, url: string): Promise<QueueLoad> => {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  const inFlight = Number(Attributes.ApproximateNumberOfMessagesNotVisible);
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages) + inFlight,
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed),
  };
};

/** Each permission opens one queue. For example, `backlog:slow` provides `backlog.slow()`. */
type Permissions = {
  readonly [Q in DeliveryQueue]: (client: SQSClient, url: string) => Readonly<Record<Q, () => Promise<QueueLoad>>>;
};

// TypeScript cannot infer that the loop creates a permission for each queue.
const permissions = Object.fromEntries(
  (Object.keys(deliveryQueues) as DeliveryQueue[]).map((name) => [
    name,
    (client: SQSClient, url: string) => ({ [name]: () => heldIn(client, url) }),
  ]),
) as unknown as Permissions;

export const backlog = defineStore({ name: 'backlog', client: sqs, permissions, warmUp: heldIn });
