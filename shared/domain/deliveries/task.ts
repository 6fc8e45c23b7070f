import * as z from 'zod/mini';
import { type Protocol, protocols } from '../subscriptions/subscription.ts';
import { content } from './message.ts';

export const publicationKey = 'message';

/** The sort key of a subscription's recovery, which has its own partition. */
export const recoveryKey = 'recovery';

const shardKey = (shardBits: number, shard: number): string =>
  `${String(shardBits).padStart(2, '0')}#${shard.toString(16).padStart(6, '0')}`;

/** The key of a batch delivery, such as `02#000003#http`. Keys sort like their shards. */
export const batchTaskKey = (protocol: Protocol, shardBits: number, shard: number): string =>
  `${shardKey(shardBits, shard)}#${protocol}`;

/** The first and last key of the batch deliveries of these shards, for all protocols. */
export const shardKeyRange = (shardBits: number, first: number, last: number): readonly [string, string] => [
  `${shardKey(shardBits, first)}#`,
  `${shardKey(shardBits, last)}#~`,
];

export const protocolOf = (batchTaskKey: string): string => batchTaskKey.split('#')[2] ?? '';

export const singleTaskPrefix = 'one#';

/** The key of a single delivery: `one#<subscription uuid>`. */
export const singleTaskKey = (subscriptionUuid: string): string => `${singleTaskPrefix}${subscriptionUuid}`;

export const subscriptionOf = (taskKey: string): string => taskKey.slice(singleTaskPrefix.length);

/** A delivery to one subscription, with its own row. */
export const singleTask = (
  { protocol, content, shardBits }: Pick<DeliveryTask, 'protocol' | 'content' | 'shardBits'>,
  subscriptionUuid: string,
  attempt: number,
): DeliveryTask => ({
  taskKey: singleTaskKey(subscriptionUuid),
  protocol,
  isSingle: true,
  attempt,
  shardBits,
  subscriptionUuids: [subscriptionUuid],
  content,
});

/** Thrown while another copy holds the lease. The task returns to the queue, and this is not an error. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

/** One message for one subscription (`isSingle`) or for about twenty. `attempt` 0 is the first. */
export const deliveryTask = z.object({
  taskKey: z.string(),
  protocol: z.enum(protocols),
  isSingle: z.boolean(),
  attempt: z.int(),
  shardBits: z.int(),
  subscriptionUuids: z.array(z.string()),
  content,
  /** How often the task was postponed because DynamoDB was too slow. */
  postponements: z.optional(z.int()),
});
export type DeliveryTask = z.infer<typeof deliveryTask>;

/** A task in the queue `retry`. `notBefore` is epoch milliseconds. */
export const waitingTask = z.object({ notBefore: z.int(), task: deliveryTask });
export type WaitingTask = z.infer<typeof waitingTask>;
