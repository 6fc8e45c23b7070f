import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { mostBits } from '../../domain/deliveries/plan-tasks.ts';
import { slicesOf } from '../../domain/deliveries/slice.ts';
import { publicationKey } from '../../domain/deliveries/task-key.ts';
import { referredNotification } from '../../model/deliveries/message.ts';
import { ledgerOutcome, pastAttempt } from '../../model/deliveries/outcome.ts';
import { Fault } from '../../model/faults.ts';
import { protocols } from '../../model/subscriptions/subscription.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { keptOutcomes } from './kept-outcomes.ts';

/** The row of a message beside its tasks: what was published when, and how its tasks were partitioned. */
export const messageRow = z.object({
  ...referredNotification.shape,
  publicationId: z.string(),
  /** Of one under an Idempotency-Key: what was published, which the key stands for from now on. */
  contentId: z.optional(z.string()),
  /** Leading bits of the uuid that choose a subscription's task; missing until fan-out has begun. */
  bits: z.optional(z.int()),
  /** Epoch seconds. */
  expiresAt: z.int(),
});
export type MessageRow = z.infer<typeof messageRow>;

/** The row of a task for several subscriptions: who was told, and when. */
export const taskRow = z.object({
  taskKey: z.string(),
  state: z.enum(['claimed', 'recorded']),
  leaseId: z.string(),
  leaseUntil: z.int(),
  outcomes: keptOutcomes,
  /** What follows from the outcomes was done. */
  isFollowed: z._default(z.boolean(), false),
});
export type TaskRow = z.infer<typeof taskRow>;

/** What the sweeper notes in a row, be it a subscription's or a message's own. */
export const looked = {
  /** How often it was sent again since its last outcome. */
  resumes: z._default(z.int(), 0),
  /** It was put off once until its lane had served what it held then. */
  isPutOff: z._default(z.boolean(), false),
  /** Of a message's own row: the protocols that its last audit has left out. */
  leftOut: z._default(z.readonly(z.array(z.enum(protocols))), []),
  /** It was sent again too often: it rests until an operator has it redelivered. */
  isStuck: z._default(z.boolean(), false),
};
/** The names of what the sweeper notes, which an outcome ends. */
export const lookedNames: readonly string[] = Object.keys(looked);

/** The row of one subscription's own task. Times are epoch milliseconds. */
export const singleRow = z.object({
  messageSlice: z.string(),
  messageId: z.string(),
  taskKey: z.string(),
  state: z.enum(['waiting', 'claimed', 'delivered', 'failed', 'dropped']),
  /** The last attempt that was claimed; -1 before the first. */
  attempt: z.int(),
  /** The attempt that the policy counts from: redelivery by an operator begins anew. */
  base: z._default(z.int(), 0),
  protocol: z.enum(protocols),
  leaseId: z.optional(z.string()),
  outcome: z.optional(ledgerOutcome),
  /** The attempts before it. */
  past: z._default(z.readonly(z.array(pastAttempt)), []),
  /** What follows from the outcome was done. */
  isFollowed: z._default(z.boolean(), false),
  ...looked,
});
export type SingleRow = z.infer<typeof singleRow>;

/** Hears of a row that cannot be worked on; the others go on. */
export type OnRowFault = (error: unknown, row: { readonly messageId: string; readonly taskKey: string }) => void;

/** Reads the rows of a page; `onFault` hears of each that cannot be read. */
export const readRows = <Row>(
  schema: { parse(value: unknown): Row },
  items: readonly Item[],
  onFault: OnRowFault,
): Row[] =>
  items.flatMap((item) => {
    try {
      return [fromItem(schema, item)];
    } catch (error) {
      const ids = { messageId: item.messageId?.S ?? '', taskKey: item.taskKey?.S ?? '' };
      onFault(new Fault('unreadableRow', ids, error), ids);
      return [];
    }
  });

// At 10,000 failures a second, 312 writes a second under each key.
const shards = 32;
const shardOf = (id: string): number => createHash('sha256').update(id).digest().readUInt8(0) % shards;

const allShards = (kind: string): string[] => Array.from({ length: shards }, (_, shard) => `${kind}#${shard}`);
/** The index keys under which rows wait for the sweeper, spread over shards by their subscription; a message's own by its id. */
export const dueShards: readonly string[] = allShards('due');
/** The index keys of rows that have failed for good, spread alike. */
export const failedShards: readonly string[] = allShards('failed');

/** Times as sort keys, in the order of time. */
export const timeKey = (epochMs: number): string => String(epochMs).padStart(15, '0');

/** Puts the row of a subscription, or a message's own, where the sweeper looks at it from `at` (epoch milliseconds). */
export const dueAt = (id: string, at: number) => ({
  sweepShard: `due#${shardOf(id)}`,
  sweepAt: timeKey(at),
});

/** Puts a row among those that have failed for good. */
export const failedAt = (id: string, at: number) => ({
  sweepShard: `failed#${shardOf(id)}`,
  sweepAt: timeKey(at),
});

/** What the keys begin with under which a subscription's rows are found that wait, or are worked on. */
export const waitingPrefix = 'waiting#';

/** Lets a row be found as one that waits for the subscription. */
export const waitingFor = (uuid: string, messageId: string) => ({
  owner: uuid,
  standing: `${waitingPrefix}${messageId}`,
});

/** What the keys begin with under which those are found that have failed for good. */
export const failedPrefix = 'failed#';

/** Lets a row be found as one that has failed for the subscription. */
export const failedFor = (uuid: string, messageId: string) => ({
  owner: uuid,
  standing: `${failedPrefix}${messageId}`,
});

/** What lets a row be found for its subscription, or by the sweeper: without them nobody looks at it again. */
export const foundBy: readonly string[] = ['owner', 'standing', 'sweepShard', 'sweepAt'];

/** A part of a message's rows, which has a partition of its own. */
export interface Slice {
  readonly messageId: string;
  readonly slice: number;
}

/** The partition key of a slice. */
export const messageSlice = ({ messageId, slice }: Slice): string => `${messageId}#${slice.toString(16)}`;

/** Every slice that a message may have, whatever its number of subscriptions. */
export const allSlices: readonly number[] = Array.from({ length: slicesOf(mostBits) }, (_, slice) => slice);

/** The primary key of a row that was read. */
export const keyOf = ({ messageSlice, taskKey }: { messageSlice: string; taskKey: string }): Item =>
  toItem({ messageSlice, taskKey });

/** The primary key of a task's row in the ledger. */
export const rowKey = ({ taskKey, ...slice }: Slice & { readonly taskKey: string }): Item =>
  keyOf({ messageSlice: messageSlice(slice), taskKey });

/** The primary key of a message's own row, beside those of its first slice. */
export const publicationRowKey = (messageId: string): Item => rowKey({ messageId, slice: 0, taskKey: publicationKey });
