import type { Protocol } from '../subscriptions/subscription.ts';

/**
 * The sort keys of a message's rows in the ledger: the publication itself; a task for the subscriptions of one bucket; and
 * a subscription's own task, for what did not reach it at once.
 */
export const publicationKey = 'message';

/** The sort key of a subscription's recovery, which has a partition of its own. */
export const recoveryKey = 'recovery';

const bucketKey = (bits: number, bucket: number): string =>
  `${String(bits).padStart(2, '0')}#${bucket.toString(16).padStart(6, '0')}`;

/** The key of a bucket's task; keys sort as their buckets do. `bits` of the subscription's uuid choose the bucket. */
export const bucketTaskKey = (protocol: Protocol, bits: number, bucket: number): string =>
  `${bucketKey(bits, bucket)}#${protocol}`;

/** The keys of the tasks of the buckets `first` to `last`, by every protocol: all of them lie between these two. */
export const bucketKeyRange = (bits: number, first: number, last: number): readonly [string, string] => [
  `${bucketKey(bits, first)}#`,
  `${bucketKey(bits, last)}#~`,
];

/** The protocol of the key of a bucket's task. */
export const protocolOf = (bucketTaskKey: string): string => bucketTaskKey.split('#')[2] ?? '';

/** What the keys of subscriptions' own tasks begin with. */
export const ownTaskPrefix = 'one#';

/** The key of a subscription's own task: `one#<subscription uuid>`. */
export const ownTaskKey = (subscriptionUuid: string): string => `${ownTaskPrefix}${subscriptionUuid}`;

/** The subscription of an own task's key. */
export const subscriptionOf = (taskKey: string): string => taskKey.slice(ownTaskPrefix.length);
