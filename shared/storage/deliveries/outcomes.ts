import { ownTaskKey } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { toItem } from '../dynamo.ts';
import { dueAt, failedAt, failedFor, foundBy, messageSlice, type Slice, waitingFor } from './rows.ts';

/** By subscription. */
export type Outcomes = Readonly<Record<string, LedgerOutcome>>;

/** `now` is epoch milliseconds; rows are kept until `expiresAt`, epoch seconds. */
export interface Times {
  readonly now: number;
  readonly expiresAt: number;
}

/** Where a single row stands after an outcome, and how long it is kept (epoch seconds, at least `expiresAt`). */
export function singleState(messageId: string, uuid: string, outcome: LedgerOutcome, { now, expiresAt }: Times) {
  if (outcome.next === 'none') {
    // A test event that failed is not tried again; what may have been taken counts as delivered.
    const isDone = outcome.class === 'delivered' || outcome.class === 'unknown';
    return { set: { state: isDone ? 'delivered' : 'dropped', outcome }, remove: foundBy };
  }
  if (outcome.next === 'failed') {
    return {
      set: { state: 'failed', outcome, ...failedFor(uuid, messageId), ...failedAt(uuid, outcome.at) },
      remove: ['notBefore'],
    };
  }
  const { notBefore = outcome.at } = outcome;
  const due = dueAt(uuid, notBefore + graceMs);
  const kept = expiresAt + Math.max(0, Math.ceil((notBefore - now) / 1000));
  const waiting = { ...waitingFor(uuid, messageId), ...due };
  return { set: { state: 'waiting', outcome, notBefore, expiresAt: kept, ...waiting }, remove: [] };
}

type Task = Pick<DeliveryTask, 'protocol'> & Slice;

/** Writes a row of its own for each subscription that was not reached. */
export const openRows = (table: string, { messageId, slice, protocol }: Task, outcomes: Outcomes, times: Times) =>
  Object.entries(outcomes)
    .filter(([, { next }]) => next !== 'none')
    .map(([uuid, outcome]) => ({
      Put: {
        TableName: table,
        Item: toItem({
          messageSlice: messageSlice({ messageId, slice }),
          messageId,
          taskKey: ownTaskKey(uuid),
          protocol,
          attempt: outcome.class === 'split' ? -1 : 0,
          base: outcome.isPostponed ? 1 : 0,
          expiresAt: times.expiresAt,
          // What follows is done by the task that it comes from.
          isFollowed: true,
          ...singleState(messageId, uuid, outcome, times).set,
        }),
      },
    }));
