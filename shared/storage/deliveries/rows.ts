import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { publicationKey } from '../../domain/deliveries/task-key.ts';
import { notification } from '../../model/deliveries/message.ts';
import { ledgerOutcome } from '../../model/deliveries/outcome.ts';
import { Fault } from '../../model/faults.ts';
import { protocols } from '../../model/subscriptions/subscription.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';

/** The row of a message beside its tasks: what was published when, and how its tasks were partitioned. */
export const messageRow = z.object({
  ...notification.shape,
  publicationId: z.string(),
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
  outcomes: z._default(z.record(z.string(), ledgerOutcome), {}),
  /** What follows from the outcomes was done. */
  isFollowed: z._default(z.boolean(), false),
});
export type TaskRow = z.infer<typeof taskRow>;

/** The row of one subscription's own task. Times are epoch milliseconds. */
export const singleRow = z.object({
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
  /** What follows from the outcome was done. */
  isFollowed: z._default(z.boolean(), false),
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

const shards = 8;
const shardOf = (messageId: string): number => createHash('sha256').update(messageId).digest().readUInt8(0) % shards;

const allShards = (kind: string): string[] => Array.from({ length: shards }, (_, shard) => `${kind}#${shard}`);
/** The index keys under which rows wait for the sweeper, spread over shards by their message's id. */
export const dueShards: readonly string[] = allShards('due');
/** The index keys of rows that have failed for good, spread alike. */
export const failedShards: readonly string[] = allShards('failed');

/** Times as sort keys, in the order of time. */
export const timeKey = (epochMs: number): string => String(epochMs).padStart(15, '0');

/** Puts a row where the sweeper looks at it from `at` (epoch milliseconds). */
export const dueAt = (messageId: string, at: number) => ({
  sweepShard: `due#${shardOf(messageId)}`,
  sweepAt: timeKey(at),
});

/** Puts a row among those that have failed for good. */
export const failedAt = (messageId: string, at: number) => ({
  sweepShard: `failed#${shardOf(messageId)}`,
  sweepAt: timeKey(at),
});

/** The primary key of a task's row in the ledger. */
export const rowKey = (messageId: string, taskKey: string): Item => toItem({ messageId, taskKey });
export const publicationRowKey = (messageId: string): Item => rowKey(messageId, publicationKey);
