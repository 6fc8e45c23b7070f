import * as z from 'zod/mini';
import { type Protocol, protocols } from '../subscriptions/subscription.ts';
import { content } from './message.ts';

export const publicationKey = 'message';

/** The sort key of recovery rows. Each subscription's recovery has its own partition. */
export const recoveryKey = 'recovery';

/** The sort key of parking rows, and the prefix of their partition keys. */
export const parkingKey = 'parking';

/** The sort key of rows that schedule a check of a subscription's state, and the prefix of their partition keys. */
export const statusCheckKey = 'status';

const shardKey = (shardBits: number, shard: number): string =>
  `${String(shardBits).padStart(2, '0')}#${shard.toString(16).padStart(6, '0')}`;

/** Returns the key of a batch delivery, such as `02#000003#http`. Keys sort in the order of their shards. */
export const batchTaskKey = (protocol: Protocol, shardBits: number, shard: number): string =>
  `${shardKey(shardBits, shard)}#${protocol}`;

/** Returns the key range that contains the batch deliveries of the given shards, for all protocols. */
export const shardKeyRange = (shardBits: number, first: number, last: number): readonly [string, string] => [
  `${shardKey(shardBits, first)}#`,
  `${shardKey(shardBits, last)}#~`,
];

export const protocolOf = (batchTaskKey: string): string => batchTaskKey.split('#')[2] ?? '';

export const singleTaskPrefix = 'one#';

/** Returns the key of a single delivery: `one#<subscription uuid>`. */
export const singleTaskKey = (subscriptionUuid: string): string => `${singleTaskPrefix}${subscriptionUuid}`;

export const subscriptionOf = (taskKey: string): string => taskKey.slice(singleTaskPrefix.length);

/** Creates the task for a single delivery, which has its own row. */
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

/** Thrown if a task cannot run now, for example because another run holds the lease. The task returns to its queue. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

/**
 * A task delivers one message to one subscription or, in a batch, to about twenty subscriptions. `attempt` starts at 0.
 */
export const deliveryTask = z.object({
  taskKey: z.string(),
  protocol: z.enum(protocols),
  isSingle: z.boolean(),
  attempt: z.int(),
  shardBits: z.int(),
  subscriptionUuids: z.array(z.string()),
  content,
  /** True for a probe of a parked message. A probe does not count towards the policy's maximum number of retries. */
  isProbe: z.optional(z.boolean()),
  /** The number of times that the task was postponed because DynamoDB was too slow. */
  postponements: z.optional(z.int()),
});
export type DeliveryTask = z.infer<typeof deliveryTask>;

/** A task in the `retry` queue. `notBefore` is in epoch milliseconds. */
export const waitingTask = z.object({ notBefore: z.int(), task: deliveryTask });
export type WaitingTask = z.infer<typeof waitingTask>;
