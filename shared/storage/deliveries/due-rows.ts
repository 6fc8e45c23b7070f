import type { SweepDecision } from '../../domain/deliveries/sweep-decision.ts';
import { singleTaskPrefix, subscriptionOf } from '../../domain/deliveries/task.ts';
import { type DynamoTable, queryPages, toItem } from '../dynamo.ts';
import { update, updateIf } from '../writes.ts';
import { fanOut, publish } from './publications.ts';
import { type DueRow, dueRow } from './row-schemas.ts';
import {
  dueAt,
  dueShards,
  failedAt,
  indexAttributes,
  type OnRowError,
  primaryKey,
  readRows,
  statusRowKey,
  timeKey,
} from './rows.ts';

function sweepChange({ taskKey, messageId, resumes }: DueRow, now: number, look: SweepDecision) {
  if (look.is === 'stuck') {
    return {
      isStuck: true,
      ...failedAt(taskKey.startsWith(singleTaskPrefix) ? subscriptionOf(taskKey) : messageId, now),
    };
  }
  const sweepAt = timeKey(now + look.forMs);
  return look.is === 'sent'
    ? { sweepAt, wasPostponed: false, resumes: resumes + 1 }
    : { sweepAt, wasPostponed: look.wasPostponed, skippedProtocols: look.skippedProtocols };
}

export const sweep = (table: DynamoTable) => ({
  ...publish(table),
  ...fanOut(table),
  /** Returns the due rows page by page, with the oldest rows of each shard first. An unreadable row stays due. */
  async *listDue(now: number, onError: OnRowError): AsyncGenerator<DueRow[]> {
    // Starts with a different shard every minute, so that no shard is always last.
    const first = Math.floor(now / 60_000) % dueShards.length;
    for (const shard of [...dueShards.slice(first), ...dueShards.slice(0, first)]) {
      const pages = queryPages(table, {
        IndexName: 'bySweep',
        KeyConditionExpression: 'sweepShard = :shard AND sweepAt <= :now',
        ExpressionAttributeValues: toItem({ ':shard': shard, ':now': timeKey(now) }),
      });
      for await (const items of pages) yield readRows(dueRow, items, onError);
    }
  },

  /** Writes the sweeper's decision to a due row. Returns false if the row has changed in the meantime. */
  takeDue: (row: DueRow, now: number, look: SweepDecision): Promise<boolean> =>
    updateIf(table, primaryKey(row), {
      set: sweepChange(row, now, look),
      remove: ['reconciledTo', ...(look.is === 'sent' ? ['skippedProtocols'] : [])],
      condition: '#sweepAt = :seen AND #sweepShard = :shard',
      values: { seen: row.sweepAt, shard: row.sweepShard },
    }),

  /** Marks a due row as dropped, unless a run has acquired the row's lease in the meantime. */
  async dropDue(row: DueRow, now: number): Promise<void> {
    await update(table, primaryKey(row), {
      set: { state: 'dropped' },
      remove: indexAttributes,
      condition: '#sweepShard = :due AND (#state <> :leased OR #leaseUntil < :now)',
      values: { due: row.sweepShard, leased: 'leased', now },
    });
  },

  /** Ends or postpones a check that was due at `wasDueAt`. A check that was scheduled in the meantime stays due. */
  async endStatusCheck(uuid: string, wasDueAt: number, nextAt?: number): Promise<void> {
    await update(table, statusRowKey(uuid), {
      ...(nextAt === undefined ? { remove: ['sweepShard', 'sweepAt'] } : { set: dueAt(uuid, nextAt) }),
      condition: '#sweepAt = :seen',
      values: { seen: timeKey(wasDueAt) },
    });
  },
});
