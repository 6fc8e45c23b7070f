import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { pastAttempts } from '../../domain/deliveries/past-attempts.ts';
import { subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import type { LedgerOutcome, PastAttempt } from '../../model/deliveries/outcome.ts';
import { fromItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { isOurs, type Lease, type LedgerTask } from './lease.ts';
import { singleState } from './outcomes.ts';
import { lookedNames, singleRow } from './row-schemas.ts';
import { dueAt, failedAt, failedFor, foundBy, rowKey, waitingFor } from './rows.ts';

/** `base`: the attempt that the policy counts from; `previous`: how the last attempt ended; `past`: those before it. */
export interface Before {
  readonly base: number;
  readonly previous?: LedgerOutcome | undefined;
  readonly past?: readonly PastAttempt[];
}

type SingleClaim =
  | ({ readonly is: 'claimed' } & Before)
  | { readonly is: 'busy' }
  | {
      readonly is: 'done';
      readonly attempt: number;
      readonly outcome: LedgerOutcome | undefined;
      readonly isFollowed: boolean;
    };

export const deliverSingle = (client: DynamoDBClient, table: string) => ({
  /** Claims one attempt at a subscription's own task: granted when only earlier attempts were made, or the lease ran out. */
  async claimSingle(task: LedgerTask, uuid: string, lease: Lease): Promise<SingleClaim> {
    const { messageId, attempt, protocol, isConfirmation } = task;
    const claim = await update(client, table, rowKey(task), {
      set: {
        messageId,
        state: 'claimed',
        attempt,
        protocol,
        isConfirmation,
        ...waitingFor(uuid, messageId),
        leaseId: lease.id,
        leaseUntil: lease.leaseUntil,
        expiresAt: lease.expiresAt,
        ...dueAt(uuid, lease.leaseUntil + graceMs),
      },
      condition:
        'attribute_not_exists(#messageSlice) OR (#attempt < :set_attempt AND #state = :waiting) OR ' +
        '(#attempt = :set_attempt AND #state = :set_state AND #leaseUntil < :now)',
      remove: ['isStuck'],
      names: ['messageSlice'],
      values: { now: lease.now, waiting: 'waiting' },
      returns: 'ALL_NEW',
    });
    const row = fromItem(singleRow, (claim.isDone ? claim.result.Attributes : claim.stored) ?? {});
    const isOurOwn = claim.isDone || (row.state === 'claimed' && row.leaseId === lease.id);
    if (isOurOwn) return { is: 'claimed', base: row.base, previous: row.outcome, past: row.past };
    if (row.state === 'claimed' && row.attempt <= attempt) return { is: 'busy' };
    return { is: 'done', attempt: row.attempt, outcome: row.outcome, isFollowed: row.isFollowed };
  },

  /**
   * Records how a claimed attempt ended; a postponed one moves the `base` that the policy counts from. False when the
   * lease had run out and another copy took over.
   */
  async recordSingle(
    task: LedgerTask,
    uuid: string,
    lease: Lease,
    outcome: LedgerOutcome,
    { base, previous, past = [] }: Before = { base: 0 },
  ): Promise<boolean> {
    const attempts = pastAttempts(past, previous);
    const { set, remove } = singleState(task.messageId, uuid, outcome, lease);
    const done = await update(client, table, rowKey(task), {
      set: { ...set, base: outcome.isPostponed ? base + 1 : base, ...(attempts.length > 0 && { past: attempts }) },
      remove: [...remove, 'isFollowed', ...lookedNames],
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
   * had failed before and may not be reported yet. By the lease's id a repeat of our own write, whose first answer was
   * lost, is known from another's.
   */
  async drop(
    task: LedgerTask,
    isPaused: boolean,
    { id, now, leaseUntil }: Lease,
  ): Promise<'failed' | 'stood' | undefined> {
    const uuid = subscriptionOf(task.taskKey);
    const dropped = await update(client, table, rowKey(task), {
      ...(isPaused
        ? {
            set: {
              state: 'failed',
              leaseId: id,
              leaseUntil,
              ...failedFor(uuid, task.messageId),
              ...failedAt(uuid, now),
            },
            remove: ['isFollowed', ...lookedNames],
          }
        : { set: { state: 'dropped' }, remove: ['leaseId', ...foundBy, ...lookedNames] }),
      condition: '#state = :waiting OR (#state = :claimed AND #leaseUntil < :now)',
      names: ['leaseUntil'],
      values: { waiting: 'waiting', claimed: 'claimed', now },
    });
    if (dropped.isDone) return isPaused ? 'failed' : undefined;
    const { state, leaseId, isFollowed } = dropped.stored ?? {};
    if (state?.S !== 'failed' || isFollowed) return undefined;
    return leaseId?.S === id ? 'failed' : 'stood';
  },
});
