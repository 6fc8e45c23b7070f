import { createHash } from 'node:crypto';
import { maxShardBits, rowShardCount } from '../../domain/deliveries/shards.ts';
import { publicationKey } from '../../domain/deliveries/task.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';

/** Called for a row that cannot be handled. The other rows continue. */
export type OnRowError = (error: unknown, row: { readonly messageId: string; readonly taskKey: string }) => void;

export const readRows = <Row>(
  schema: { parse(value: unknown): Row },
  items: readonly Item[],
  onError: OnRowError,
): Row[] =>
  items.flatMap((item) => {
    try {
      return [fromItem(schema, item)];
    } catch (error) {
      const ids = { messageId: item.messageId?.S ?? '', taskKey: item.taskKey?.S ?? '' };
      onError(new InternalError('unreadableRow', ids, error), ids);
      return [];
    }
  });

// At 10,000 failures a second, each key gets 312 writes a second.
const sweepShardCount = 32;
const sweepShardOf = (id: string): number => createHash('sha256').update(id).digest().readUInt8(0) % sweepShardCount;

const allSweepShards = (kind: string): string[] =>
  Array.from({ length: sweepShardCount }, (_, shard) => `${kind}#${shard}`);
/** The index keys of due rows, spread by subscription. A message's own row is spread by its id. */
export const dueShards: readonly string[] = allSweepShards('due');
export const failedShards: readonly string[] = allSweepShards('failed');

/** Sorts times as text. */
export const timeKey = (epochMs: number): string => String(epochMs).padStart(15, '0');

/** Makes a row due at `at` (epoch milliseconds). */
export const dueAt = (id: string, at: number) => ({
  sweepShard: `due#${sweepShardOf(id)}`,
  sweepAt: timeKey(at),
});

/** Lists a row as failed for good. */
export const failedAt = (id: string, at: number) => ({
  sweepShard: `failed#${sweepShardOf(id)}`,
  sweepAt: timeKey(at),
});

export const waitingPrefix = 'waiting#';

/** Lists a row as pending for its subscription. */
export const waitingKeys = (uuid: string, messageId: string) => ({
  owner: uuid,
  statusKey: `${waitingPrefix}${messageId}`,
});

export const failedPrefix = 'failed#';

/** Lists a row as failed for its subscription. */
export const failedKeys = (uuid: string, messageId: string) => ({
  owner: uuid,
  statusKey: `${failedPrefix}${messageId}`,
});

/** The attributes of the indexes. Without them, the sweeper and the subscription's list cannot find a row. */
export const indexAttributes: readonly string[] = ['owner', 'statusKey', 'sweepShard', 'sweepAt'];

export interface RowShard {
  readonly messageId: string;
  readonly rowShard: number;
}

/** The partition key of a row shard. */
export const messageShard = ({ messageId, rowShard }: RowShard): string => `${messageId}#${rowShard.toString(16)}`;

export const allRowShards: readonly number[] = Array.from(
  { length: rowShardCount(maxShardBits) },
  (_, rowShard) => rowShard,
);

export const primaryKey = ({ messageShard, taskKey }: { messageShard: string; taskKey: string }): Item =>
  toItem({ messageShard, taskKey });

export const rowKey = ({ taskKey, ...rowShard }: RowShard & { readonly taskKey: string }): Item =>
  primaryKey({ messageShard: messageShard(rowShard), taskKey });

export const publicationRowKey = (messageId: string): Item =>
  rowKey({ messageId, rowShard: 0, taskKey: publicationKey });
