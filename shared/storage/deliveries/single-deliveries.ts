import type { KeptResponse } from '../../domain/deliveries/kept-response.ts';
import { type DeliveryOutcome, type PastAttempt, pastAttempts } from '../../domain/deliveries/outcome.ts';
import { rowShardOfSubscription } from '../../domain/deliveries/shards.ts';
import { type DeliveryTask, singleTaskKey, subscriptionOf } from '../../domain/deliveries/task.ts';
import { graceMs, unsentAfterMs } from '../../domain/deliveries/times.ts';
import { type DynamoTable, fromItem, type Item, toItem } from '../dynamo.ts';
import { putIf, update } from '../writes.ts';
import { type SingleRow, singleRow, sweepStateNames } from './row-schemas.ts';
import {
  failedKeys,
  indexAttributes,
  isNew,
  isOwnWrite,
  type Lease,
  messageShard,
  type RowShard,
  rowKey,
  type TaskId,
  type Times,
  waitingKeys,
} from './rows.ts';

export const openSingle = (table: DynamoTable) => ({
  /**
   * Creates the row of a single delivery before its first attempt, so that the sweeper finds a lost task. `expiresAt`
   * is in epoch seconds. `resumes`: the number of times that the sweeper has resumed the delivery.
   */
  async openSingle(task: DeliveryTask, now: number, expiresAt: number, resumes?: number): Promise<void> {
    const { taskKey, protocol } = task;
    const { messageId, timestamp: publishedAt } = task.content;
    const owner = subscriptionOf(taskKey);
    const rowShard = rowShardOfSubscription(owner, task.shardBits);
    const isConfirmation = task.content.type === 'SubscriptionConfirmation';
    const due = now + (isConfirmation ? unsentAfterMs : graceMs);
    const row = {
      messageShard: messageShard({ messageId, rowShard }),
      messageId,
      taskKey,
      protocol,
      state: 'waiting',
      attempt: -1,
      base: 0,
      notBefore: now,
      expiresAt,
      resumes,
      isConfirmation,
      ...waitingKeys(owner, { messageId, publishedAt }, due),
    };
    await putIf(table, toItem(row), isNew);
  },
});

export type Outcomes = Readonly<Record<string, DeliveryOutcome>>;
export type Responses = Readonly<Record<string, KeptResponse>>;

type MessageOrder = Pick<TaskId, 'messageId' | 'publishedAt'>;

/** Returns the update that records an outcome in the row of a single delivery. A late retry extends `expiresAt`. */
function singleRowState(message: MessageOrder, uuid: string, outcome: DeliveryOutcome, { now, expiresAt }: Times) {
  if (outcome.next === 'none') {
    // A failed test event is not retried. A delivery with an unknown outcome counts as delivered.
    const isDone = outcome.class === 'delivered' || outcome.class === 'unknown';
    return { set: { state: isDone ? 'delivered' : 'dropped', outcome }, remove: indexAttributes };
  }
  if (outcome.next === 'failed') {
    const keys = failedKeys(uuid, message.messageId, outcome.at);
    return { set: { state: 'failed', outcome, ...keys }, remove: ['notBefore'] };
  }
  const { notBefore = outcome.at } = outcome;
  if (outcome.next === 'parked') return { set: { state: 'parked', outcome, notBefore }, remove: [] };
  const kept = expiresAt + Math.max(0, Math.ceil((notBefore - now) / 1000));
  const waiting = waitingKeys(uuid, message, notBefore + graceMs);
  return { set: { state: 'waiting', outcome, notBefore, expiresAt: kept, ...waiting }, remove: [] };
}

type Task = Pick<DeliveryTask, 'protocol'> & RowShard & MessageOrder;

/** Builds a row for each subscription that the batch did not reach. */
export const singleRows = (
  { messageId, publishedAt, rowShard, protocol }: Task,
  outcomes: Outcomes,
  times: Times,
  responses: Responses = {},
): Item[] =>
  Object.entries(outcomes)
    .filter(([, { next }]) => next !== 'none')
    .map(([uuid, outcome]) =>
      toItem({
        messageShard: messageShard({ messageId, rowShard }),
        messageId,
        taskKey: singleTaskKey(uuid),
        protocol,
        attempt: outcome.class === 'split' ? -1 : 0,
        base: outcome.isPostponed ? 1 : 0,
        expiresAt: times.expiresAt,
        // The run that delivers the batch also runs the after-effects for this row.
        hasRunAfterEffects: true,
        response: responses[uuid],
        ...singleRowState({ messageId, publishedAt }, uuid, outcome, times).set,
      }),
    );

const doesCount = ({ isPostponed, next }: DeliveryOutcome): boolean => !isPostponed && next !== 'parked';

/** The attempt from which the policy's retries are counted, the last outcome, and the earlier attempts. */
export interface PriorAttempts {
  readonly base: number;
  readonly previous?: DeliveryOutcome | undefined;
  readonly past?: readonly PastAttempt[];
}

type SingleAcquisition =
  | ({ readonly is: 'leased' } & PriorAttempts)
  | { readonly is: 'busy' }
  | ({ readonly is: 'done' } & Pick<SingleRow, 'attempt' | 'outcome' | 'hasRunAfterEffects'>);

export const deliverSingle = (table: DynamoTable) => ({
  /** Acquires the lease for an attempt, unless another run holds the lease, or the attempt or a later one was made. */
  async acquireSingle(task: TaskId, uuid: string, lease: Lease): Promise<SingleAcquisition> {
    const { messageId, attempt, protocol, isConfirmation, isProbe = false } = task;
    // A probe leases a parked row. The leased row has no timer, because visits to parked messages check the row.
    const indexed = isProbe ? {} : waitingKeys(uuid, task, lease.leaseUntil + graceMs);
    const isFree = isProbe
      ? '(#attempt < :set_attempt AND #state = :parked)'
      : 'attribute_not_exists(#messageShard) OR (#attempt < :set_attempt AND #state = :waiting)';
    const isLost = '#attempt = :set_attempt AND #state = :set_state AND #leaseUntil < :now';
    const claim = await update(table, rowKey(task), {
      set: {
        messageId,
        state: 'leased',
        attempt,
        protocol,
        isConfirmation,
        leaseId: lease.id,
        leaseUntil: lease.leaseUntil,
        expiresAt: lease.expiresAt,
        ...indexed,
      },
      condition: `${isFree} OR (${isLost}${isProbe ? ' AND attribute_not_exists(#owner)' : ''})`,
      remove: ['isStuck'],
      values: { now: lease.now, ...(isProbe ? { parked: 'parked' } : { waiting: 'waiting' }) },
      returns: 'ALL_NEW',
    });
    // The parked row has expired.
    if (!claim.isDone && claim.stored === undefined) {
      return { is: 'done', attempt, outcome: undefined, hasRunAfterEffects: true };
    }
    const row = fromItem(singleRow, (claim.isDone ? claim.result.Attributes : claim.stored) ?? {});
    const isOurOwn = claim.isDone || (row.state === 'leased' && row.leaseId === lease.id);
    if (isOurOwn) return { is: 'leased', base: row.base, previous: row.outcome, past: row.past };
    if (row.state === 'leased' && row.attempt <= attempt) return { is: 'busy' };
    return { is: 'done', attempt: row.attempt, outcome: row.outcome, hasRunAfterEffects: row.hasRunAfterEffects };
  },

  /**
   * Records a leased attempt. A postponed attempt or a failed probe raises `base`, so that it does not count as a
   * retry. Returns false if another run has taken over the lease.
   */
  async recordSingle(
    task: TaskId,
    uuid: string,
    lease: Lease,
    outcome: DeliveryOutcome,
    { base, previous, past = [] }: PriorAttempts = { base: 0 },
    response?: KeptResponse,
  ): Promise<boolean> {
    const attempts = pastAttempts(past, previous);
    const { set, remove } = singleRowState(task, uuid, outcome, lease);
    const done = await update(table, rowKey(task), {
      set: {
        ...set,
        base: doesCount(outcome) ? base : base + 1,
        ...(attempts.length > 0 && { past: attempts }),
        ...(response && { response }),
      },
      remove: [...remove, 'hasRunAfterEffects', ...sweepStateNames, ...(response ? [] : ['response'])],
      condition: '#attempt = :attempt AND #state = :leased AND #leaseId = :lease',
      values: { attempt: task.attempt, leased: 'leased', lease: lease.id },
    });
    return done.isDone || isOwnWrite(done.stored, lease);
  },

  /**
   * Ends a single delivery of a deleted or paused subscription. If the subscription is paused, the delivery counts as
   * failed, so that an operator can redeliver it. A leased row stays unchanged until its lease expires. Returns
   * `alreadyFailed` if the delivery had failed before, because the earlier failure may not have been reported.
   */
  async dropSingle(
    task: TaskId,
    isPaused: boolean,
    { id, now, leaseUntil }: Lease,
  ): Promise<'failed' | 'alreadyFailed' | undefined> {
    const uuid = subscriptionOf(task.taskKey);
    const dropped = await update(table, rowKey(task), {
      ...(isPaused
        ? {
            set: { state: 'failed', leaseId: id, leaseUntil, ...failedKeys(uuid, task.messageId, now) },
            remove: ['hasRunAfterEffects', ...sweepStateNames],
          }
        : { set: { state: 'dropped' }, remove: ['leaseId', ...indexAttributes, ...sweepStateNames] }),
      condition: '#state IN (:waiting, :parked) OR (#state = :leased AND #leaseUntil < :now)',
      values: { waiting: 'waiting', parked: 'parked', leased: 'leased', now },
    });
    if (dropped.isDone) return isPaused ? 'failed' : undefined;
    const { state, leaseId, hasRunAfterEffects } = dropped.stored ?? {};
    if (state?.S !== 'failed' || hasRunAfterEffects) return undefined;
    return leaseId?.S === id ? 'failed' : 'alreadyFailed';
  },
});
