import { createHash } from 'node:crypto';
import { orderOf } from '../../domain/deliveries/parking.ts';
import { maxShardBits, rowShardCount } from '../../domain/deliveries/shards.ts';
import { type DeliveryTask, publicationKey, statusCheckKey } from '../../domain/deliveries/task.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { type DynamoTable, fromItem, type Item, toItem } from '../dynamo.ts';
import { update, updateIf } from '../writes.ts';

/** Called for a row that cannot be handled. An error in one row does not prevent the handling of other rows. */
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

// With this number of keys, 10,000 failures per second cause about 312 writes per second to each key.
const sweepShardCount = 32;
const sweepShardOf = (id: string): number => createHash('sha256').update(id).digest().readUInt8(0) % sweepShardCount;

const allSweepShards = (kind: string): string[] =>
  Array.from({ length: sweepShardCount }, (_, shard) => `${kind}#${shard}`);
/** The index keys of due rows. Delivery rows are distributed by subscription, and message rows by message id. */
export const dueShards: readonly string[] = allSweepShards('due');
export const failedShards: readonly string[] = allSweepShards('failed');

/** Formats a time as a string that sorts chronologically. */
export const timeKey = (epochMs: number): string => String(epochMs).padStart(15, '0');

const sweptAt = (kind: 'due' | 'failed', id: string, at: number) => ({
  sweepShard: `${kind}#${sweepShardOf(id)}`,
  sweepAt: timeKey(at),
});

/** Returns the attributes that make a row due at a time in epoch milliseconds. */
export const dueAt = (id: string, at: number) => sweptAt('due', id, at);

/** Returns the attributes that add a row to the list of permanent failures. */
export const failedAt = (id: string, at: number) => sweptAt('failed', id, at);

export const waitingPrefix = 'waiting#';

/**
 * Returns the attributes that add a row to its subscription's pending deliveries, ordered by time of publication, and
 * make it due at a time in epoch milliseconds.
 */
export const waitingKeys = (
  uuid: string,
  { messageId, publishedAt }: Pick<TaskId, 'messageId' | 'publishedAt'>,
  at: number,
) => ({
  owner: uuid,
  statusKey: `${waitingPrefix}${orderOf(publishedAt, messageId)}`,
  ...dueAt(uuid, at),
});

export const failedPrefix = 'failed#';

/** Returns the attributes that add a row to the lists of its subscription's and of all failed deliveries. */
export const failedKeys = (uuid: string, messageId: string, at: number) => ({
  owner: uuid,
  statusKey: `${failedPrefix}${timeKey(at)}#${messageId}`,
  ...failedAt(uuid, at),
});

/** The attributes that add a row to the index of due rows and to its subscription's list. */
export const indexAttributes: readonly string[] = ['owner', 'statusKey', 'sweepShard', 'sweepAt'];

export interface RowShard {
  readonly messageId: string;
  /** See `rowShardOfSubscription`. */
  readonly rowShard: number;
}

/** Returns the partition key of a row shard. */
export const messageShard = ({ messageId, rowShard }: RowShard): string => `${messageId}#${rowShard.toString(16)}`;

export const allRowShards: readonly number[] = [...new Array(rowShardCount(maxShardBits)).keys()];

/** The condition that a row does not exist. */
export const isNew = { condition: 'attribute_not_exists(#messageShard)' };

export const primaryKey = ({ messageShard, taskKey }: { messageShard: string; taskKey: string }): Item =>
  toItem({ messageShard, taskKey });

export const rowKey = ({ taskKey, ...rowShard }: RowShard & { readonly taskKey: string }): Item =>
  primaryKey({ messageShard: messageShard(rowShard), taskKey });

export const publicationRowKey = (messageId: string): Item =>
  rowKey({ messageId, rowShard: 0, taskKey: publicationKey });

/** `now` is in epoch milliseconds, and `expiresAt` is in epoch seconds. */
export interface Times {
  readonly now: number;
  readonly expiresAt: number;
}

/**
 * The lease of one run, which ends at `leaseUntil` (epoch milliseconds). If a response from DynamoDB was lost, the run
 * recognises its own write by this `id`.
 */
export interface Lease extends Times {
  readonly id: string;
  readonly leaseUntil: number;
}

export interface TaskId extends RowShard, Readonly<Pick<DeliveryTask, 'taskKey' | 'attempt' | 'protocol' | 'isProbe'>> {
  /** RFC 3339. */
  readonly publishedAt: string;
  /** True for a confirmation request, which cannot be rebuilt from its row because its token is not stored. */
  readonly isConfirmation?: boolean;
}

/** Returns whether DynamoDB accepted this run's write although its response was lost. */
export const isOwnWrite = (stored: Item | undefined, lease: Lease): boolean =>
  stored?.leaseId?.S === lease.id && stored.state?.S !== 'leased';

export const completeTask = (table: DynamoTable) => ({
  async release(task: TaskId, lease: Lease): Promise<void> {
    await update(table, rowKey(task), {
      set: { leaseUntil: 0 },
      condition: '#state = :leased AND #leaseId = :lease',
      values: { leased: 'leased', lease: lease.id },
    });
  },

  /**
   * Takes over the after-effects of a recorded task. Returns `busy` if the run that recorded the task may still hold
   * its lease. Returns `done` if the after-effects have run or the task has changed.
   */
  async takeOverAfterEffects(task: TaskId, lease: Lease): Promise<'taken' | 'busy' | 'done'> {
    const taken = await update(table, rowKey(task), {
      set: { leaseId: lease.id, leaseUntil: lease.leaseUntil },
      condition:
        'attribute_not_exists(#hasRunAfterEffects) AND #state <> :leased AND ' +
        '(attribute_not_exists(#leaseUntil) OR #leaseUntil < :now)',
      values: { now: lease.now, leased: 'leased' },
    });
    if (taken.isDone) return 'taken';
    const { hasRunAfterEffects, leaseId, state } = taken.stored ?? {};
    if (state === undefined || hasRunAfterEffects || state.S === 'leased') return 'done';
    return leaseId?.S === lease.id ? 'taken' : 'busy';
  },

  async markAfterEffectsDone(task: TaskId, lease: Lease): Promise<void> {
    await update(table, rowKey(task), {
      set: { hasRunAfterEffects: true },
      condition: '#leaseId = :lease AND #state <> :leased',
      values: { lease: lease.id, leased: 'leased' },
    });
  },

  /**
   * Extends the expiry of a message (epoch seconds). Returns false if the message already expires at the given time or
   * later.
   */
  extendMessage: (messageId: string, expiresAt: number): Promise<boolean> =>
    updateIf(table, publicationRowKey(messageId), {
      set: { expiresAt },
      condition: '#expiresAt < :set_expiresAt',
    }),
});

export const statusRowKey = (uuid: string): Item =>
  primaryKey({ messageShard: `${statusCheckKey}#${uuid}`, taskKey: statusCheckKey });

export const scheduleStatus = (table: DynamoTable) => ({
  /**
   * Schedules a check of a subscription's state, unless another check is due earlier. `expiresAt` is in epoch seconds.
   */
  async scheduleStatusCheck(uuid: string, at: number, expiresAt: number): Promise<void> {
    await update(table, statusRowKey(uuid), {
      set: { messageId: uuid, expiresAt, ...dueAt(uuid, at) },
      condition: 'attribute_not_exists(#sweepAt) OR #sweepAt > :set_sweepAt',
    });
  },
});
