import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { fromItem, toItem } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { update, updateOf } from '../update.ts';
import { taskRow, toStoredOutcomes } from './row-schemas.ts';
import { isOwnWrite, type Lease, rowKey, type TaskId, type Times } from './rows.ts';
import { type Outcomes, type Responses, singleRowPuts } from './single-deliveries.ts';

// Each outcome takes about 120 bytes, and a row holds at most 400 KB.
const mostOutcomes = 1500;

/** Builds the update that adds outcomes to a recorded batch, unless the batch already contains them. */
function entries(table: string, task: TaskId, outcomes: Outcomes): TransactWriteItem {
  const late = Object.entries(outcomes);
  const each = (text: (index: number) => string, by: string): string => late.map((_, index) => text(index)).join(by);
  const values = late.map(([, outcome], index) => [`:o${index}`, outcome] as const);
  return {
    Update: {
      TableName: table,
      Key: rowKey(task),
      UpdateExpression: `SET ${each((index) => `outcomes.#u${index} = :o${index}`, ', ')}`,
      ConditionExpression: `#state = :recorded AND ${each((index) => `attribute_not_exists(outcomes.#u${index})`, ' AND ')}`,
      ExpressionAttributeNames: {
        '#state': 'state',
        ...Object.fromEntries(late.map(([uuid], index) => [`#u${index}`, uuid])),
      },
      ExpressionAttributeValues: toItem({ ':recorded': 'recorded', ...Object.fromEntries(values) }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

const without = (outcomes: Outcomes, isLeftOut: (uuid: string) => boolean): Outcomes =>
  Object.fromEntries(Object.entries(outcomes).filter(([uuid]) => !isLeftOut(uuid)));

export const extendBatch = (client: DynamoDBClient, table: string) => ({
  /**
   * Adds at most `maxBatchAttempts` subscriptions to a recorded batch, each with its own row. Existing outcomes and
   * rows stay unchanged. If `known` shows that the batch's row is full, only the single rows are written.
   */
  async addLateSubscriptions(task: TaskId, times: Times, outcomes: Outcomes, known: number): Promise<void> {
    const hasRoom = known < mostOutcomes;
    let late = outcomes;
    const present = new Set<string>();
    for (;;) {
      const opened = without(late, (uuid) => present.has(uuid));
      const rows = singleRowPuts(table, task, opened, times).map(({ Put }) => ({
        Put: { ...Put, ConditionExpression: 'attribute_not_exists(messageShard)' },
      }));
      const items = hasRoom && Object.keys(late).length > 0 ? [entries(table, task, late), ...rows] : rows;
      if (items.length === 0) return;
      const done = await transact(client, items);
      if (done.isDone) return;
      const { failed } = done;
      for (const [index, uuid] of Object.keys(opened).entries()) {
        if (failed.has(index + items.length - rows.length)) present.add(uuid);
      }
      if (!hasRoom || !failed.has(0)) continue;
      const stored = failed.get(0);
      const row = stored && fromItem(taskRow, stored);
      // The row has expired.
      if (row?.state !== 'recorded') return;
      late = without(late, (uuid) => Object.hasOwn(row.outcomes, uuid));
    }
  },
});

/** A lease, or the reason why no lease was acquired: another run holds the lease, or the batch is already recorded. */
type Claim =
  | { readonly is: 'leased' }
  | { readonly is: 'busy' }
  | { readonly is: 'done'; readonly outcomes: Outcomes; readonly hasRunAfterEffects: boolean };

export const deliverBatch = (client: DynamoDBClient, table: string) => ({
  /** Acquires the lease of a batch, unless another run holds it. */
  async acquire(task: TaskId, lease: Lease): Promise<Claim> {
    const claim = await update(client, table, rowKey(task), {
      set: { state: 'leased', leaseId: lease.id, leaseUntil: lease.leaseUntil, expiresAt: lease.expiresAt },
      condition: 'attribute_not_exists(#messageShard) OR (#state = :set_state AND #leaseUntil < :now)',
      names: ['messageShard'],
      values: { now: lease.now },
    });
    if (claim.isDone) return { is: 'leased' };
    const row = fromItem(taskRow, claim.stored ?? {});
    if (row.state === 'recorded')
      return { is: 'done', outcomes: row.outcomes, hasRunAfterEffects: row.hasRunAfterEffects };
    return { is: row.leaseId === lease.id ? 'leased' : 'busy' };
  },

  /**
   * Records a leased batch and, in the same transaction, creates a row for each subscription that was not reached.
   * Returns false if another run has taken over the lease.
   */
  async record(task: TaskId, lease: Lease, outcomes: Outcomes, responses?: Responses): Promise<boolean> {
    const key = rowKey(task);
    const change = {
      set: { state: 'recorded', outcomes: toStoredOutcomes(outcomes) },
      condition: '#state = :leased AND #leaseId = :lease',
      names: ['leaseId'],
      values: { leased: 'leased', lease: lease.id },
    };
    const rows = singleRowPuts(table, task, outcomes, lease, responses);
    if (rows.length === 0) {
      const done = await update(client, table, key, change);
      return done.isDone || isOwnWrite(done.stored, lease);
    }
    const answersOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const Update = { TableName: table, Key: key, ...updateOf(change), ...answersOld };
    const done = await transact(client, [{ Update }, ...rows]);
    return done.isDone || isOwnWrite(done.failed.get(0), lease);
  },
});
