import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { update, updateOf } from '../update.ts';
import { type Outcomes, openRows, singleState, type Times } from './outcomes.ts';
import { dueAt, failedAt, graceMs, messageKey, messageRow, rowKey, singleRow, taskRow } from './rows.ts';

/**
 * A claim by one run: it runs out at `leaseUntil`, and the row is kept until `expiresAt` (epoch seconds; the others are
 * milliseconds). By its `id` a repeat of our own write, whose first answer was lost, is known from another's.
 */
export interface Lease extends Times {
  readonly id: string;
  readonly leaseUntil: number;
}

/** `busy`: another copy works on it now. `done`: it was recorded, with these outcomes. */
export type Claim =
  | { readonly is: 'claimed' }
  | { readonly is: 'busy' }
  | { readonly is: 'done'; readonly outcomes: Outcomes };

/** `base`: the attempt that the policy counts from. */
export type SingleClaim =
  | { readonly is: 'claimed'; readonly base: number }
  | { readonly is: 'busy' }
  | { readonly is: 'done'; readonly attempt: number; readonly outcome: LedgerOutcome | undefined };

type Task = Pick<DeliveryTask, 'taskKey' | 'attempt' | 'protocol'> & {
  readonly messageId: string;
  /** Its content cannot be read from the ledger: the token is stored nowhere. */
  readonly isConfirmation?: boolean;
};

/** The row says what we wrote: DynamoDB took our write, and its answer was lost on the way. */
const isOurs = (stored: Item | undefined, lease: Lease): boolean =>
  stored?.leaseId?.S === lease.id && stored.state?.S !== 'claimed';

export const deliver = (client: DynamoDBClient, table: string) => ({
  /** The body of a long message, which its tasks do not carry. */
  async bodyOf(messageId: string): Promise<string | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: messageKey(messageId), ConsistentRead: true }),
    );
    return Item && fromItem(messageRow, Item).bodyBase64;
  },

  /** Claims a task for several: granted when nobody has, or when whoever did let the lease run out. */
  async claim({ messageId, taskKey }: Task, lease: Lease): Promise<Claim> {
    const claim = await update(client, table, rowKey(messageId, taskKey), {
      set: { state: 'claimed', leaseId: lease.id, leaseUntil: lease.leaseUntil, expiresAt: lease.expiresAt },
      condition: 'attribute_not_exists(#messageId) OR (#state = :set_state AND #leaseUntil < :now)',
      names: ['messageId'],
      values: { now: lease.now },
    });
    if (claim.isDone) return { is: 'claimed' };
    const row = fromItem(taskRow, claim.stored ?? {});
    if (row.state === 'recorded') return { is: 'done', outcomes: row.outcomes };
    return { is: row.leaseId === lease.id ? 'claimed' : 'busy' };
  },

  /**
   * Records how a claimed task ended. Each subscription that was not reached gets a row of its own in the same
   * transaction. False when the lease had run out and another copy took over.
   */
  async record({ messageId, taskKey, protocol }: Task, lease: Lease, outcomes: Outcomes): Promise<boolean> {
    const key = rowKey(messageId, taskKey);
    const change = {
      set: { state: 'recorded', outcomes },
      condition: '#state = :claimed AND #leaseId = :lease',
      names: ['leaseId'],
      values: { claimed: 'claimed', lease: lease.id },
    };
    const rows = openRows(table, { messageId, protocol }, outcomes, lease);
    if (rows.length === 0) {
      const done = await update(client, table, key, change);
      return done.isDone || isOurs(done.stored, lease);
    }
    const answersOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const Update = { TableName: table, Key: key, ...updateOf(change), ...answersOld };
    const done = await transact(client, [{ Update }, ...rows]);
    return done.isDone || isOurs(done.stored, lease);
  },

  /**
   * Takes subscriptions into a recorded task that fan-out found only later, each with a row of its own: from now on the
   * ledger knows them. Where another copy has done so nothing changes.
   */
  async admit({ messageId, taskKey, protocol }: Task, times: Times, outcomes: Outcomes): Promise<void> {
    const late = Object.entries(outcomes);
    const each = (text: (index: number) => string, by: string): string => late.map((_, index) => text(index)).join(by);
    const Update = {
      TableName: table,
      Key: rowKey(messageId, taskKey),
      UpdateExpression: `SET ${each((index) => `outcomes.#u${index} = :o${index}`, ', ')}`,
      ConditionExpression: each((index) => `attribute_not_exists(outcomes.#u${index})`, ' AND '),
      ExpressionAttributeNames: Object.fromEntries(late.map(([uuid], index) => [`#u${index}`, uuid])),
      ExpressionAttributeValues: toItem(Object.fromEntries(late.map(([, outcome], index) => [`:o${index}`, outcome]))),
    };
    await transact(client, [{ Update }, ...openRows(table, { messageId, protocol }, outcomes, times)]);
  },

  /** Claims one attempt at a subscription's own task: granted when only earlier attempts were made, or the lease ran out. */
  async claimSingle(task: Task, uuid: string, lease: Lease): Promise<SingleClaim> {
    const { messageId, taskKey, attempt, protocol, isConfirmation } = task;
    const claim = await update(client, table, rowKey(messageId, taskKey), {
      set: {
        state: 'claimed',
        attempt,
        protocol,
        isConfirmation,
        owner: uuid,
        leaseId: lease.id,
        leaseUntil: lease.leaseUntil,
        expiresAt: lease.expiresAt,
        ...dueAt(messageId, lease.leaseUntil + graceMs),
      },
      condition:
        'attribute_not_exists(#messageId) OR (#attempt < :set_attempt AND #state = :waiting) OR ' +
        '(#attempt = :set_attempt AND #state = :set_state AND #leaseUntil < :now)',
      names: ['messageId'],
      values: { now: lease.now, waiting: 'waiting' },
      returns: 'ALL_NEW',
    });
    if (claim.isDone) return { is: 'claimed', base: fromItem(singleRow, claim.result.Attributes ?? {}).base };
    const row = fromItem(singleRow, claim.stored ?? {});
    if (row.state === 'claimed' && row.leaseId === lease.id) return { is: 'claimed', base: row.base };
    if (row.state === 'claimed' && row.attempt <= attempt) return { is: 'busy' };
    return { is: 'done', attempt: row.attempt, outcome: row.outcome };
  },

  /**
   * Records how a claimed attempt ended; a postponed one moves the `base` that the policy counts from. False when the
   * lease had run out and another copy took over.
   */
  async recordSingle(task: Task, uuid: string, lease: Lease, outcome: LedgerOutcome, base = 0): Promise<boolean> {
    const { set, remove } = singleState(task.messageId, uuid, outcome, lease);
    const done = await update(client, table, rowKey(task.messageId, task.taskKey), {
      set: { ...set, base: outcome.isPostponed ? base + 1 : base },
      remove,
      condition: '#attempt = :attempt AND #state = :claimed AND #leaseId = :lease',
      names: ['attempt', 'leaseId'],
      values: { attempt: task.attempt, claimed: 'claimed', lease: lease.id },
    });
    return done.isDone || isOurs(done.stored, lease);
  },

  /**
   * Ends a subscription's own task without delivery: it is gone, or has confirmed by now. Where it is paused the task
   * counts as failed, so that an operator can have it made again. What another copy works on at `now` (epoch
   * milliseconds) is left to that one; what a copy left behind whose lease ran out is ended too. `stood` is a task that
   * had ended so before. By `id` a repeat of our own write, whose first answer was lost, is known from another's.
   */
  async drop(
    { messageId, taskKey }: Task,
    isPaused: boolean,
    { id, now }: Pick<Lease, 'id' | 'now'>,
  ): Promise<'failed' | 'stood' | undefined> {
    const dropped = await update(client, table, rowKey(messageId, taskKey), {
      ...(isPaused
        ? { set: { state: 'failed', leaseId: id, ...failedAt(messageId, now) } }
        : { set: { state: 'dropped' }, remove: ['leaseId', 'sweepShard', 'sweepAt', 'owner'] }),
      condition: '#state = :waiting OR (#state = :claimed AND #leaseUntil < :now)',
      names: ['leaseUntil'],
      values: { waiting: 'waiting', claimed: 'claimed', now },
    });
    if (dropped.isDone) return isPaused ? 'failed' : undefined;
    const { state, leaseId, outcome } = dropped.stored ?? {};
    if (state?.S !== 'failed') return undefined;
    if (leaseId?.S === id) return 'failed';
    // What its last attempt ended was told with that outcome, before it paused anybody.
    return outcome?.M?.next?.S === 'failed' ? undefined : 'stood';
  },

  /** Keeps a long-lived message's body as long as its retries need it. `expiresAt` is epoch seconds. */
  async keepMessage(messageId: string, expiresAt: number): Promise<void> {
    await update(client, table, messageKey(messageId), {
      set: { expiresAt },
      condition: '#expiresAt < :set_expiresAt',
    });
  },
});
