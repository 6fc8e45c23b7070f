import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { defineStore } from '../../contract/define-store.ts';
import { type DeliveryQueue, deliveryQueues } from '../../contract/queues.ts';
import type { Held } from '../../domain/deliveries/look.ts';
import { sqs } from './sqs.ts';

/** How many messages a queue holds, which SQS says approximately. */
const heldIn = async (client: SQSClient, url: string): Promise<Held> => {
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

/** Opens the look at one queue as a tool: `backlog:slow` gives a function `backlog.slow()`. */
type Permissions = {
  readonly [Q in DeliveryQueue]: (client: SQSClient, url: string) => Readonly<Record<Q, () => Promise<Held>>>;
};

// The type follows from the list of queues; a loop over names alone cannot show that.
const permissions = Object.fromEntries(
  (Object.keys(deliveryQueues) as DeliveryQueue[]).map((name) => [
    name,
    (client: SQSClient, url: string) => ({ [name]: () => heldIn(client, url) }),
  ]),
) as unknown as Permissions;

export const backlog = defineStore({
  name: 'backlog',
  client: sqs,
  permissions,
  prime: async (client, url) => void (await heldIn(client, url)),
});
