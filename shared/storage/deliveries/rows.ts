import { createHash } from 'node:crypto';
import { mostBits } from '../../domain/deliveries/plan-tasks.ts';
import { slicesOf } from '../../domain/deliveries/slice.ts';
import { publicationKey } from '../../domain/deliveries/task-key.ts';
import { Fault } from '../../model/faults.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';

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
