import type { sweep } from '../../contract/jobs.ts';
import { laneOf } from '../../domain/deliveries/channels.ts';
import { visitWaitMs } from '../../domain/deliveries/parking.ts';
import { type ActiveSubscription, rowShardCount, uuidRange, wholeTopic } from '../../domain/deliveries/shards.ts';
import { recoveryKey, subscriptionOf } from '../../domain/deliveries/task.ts';
import { awaitsConfirmation, newRequest } from '../../domain/subscriptions/confirmation-requests.ts';
import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import type { Protocol } from '../../domain/subscriptions/subscription.ts';
import { composeToken, hashToken } from '../../domain/subscriptions/subscription-token.ts';
import { isGivenUp, timeOfInvocation, withinInvocation } from '../../lambda/time-left.ts';
import type { DueRow, MessageRow } from '../../storage/deliveries/row-schemas.ts';
import type { OnRowError } from '../../storage/deliveries/rows.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { findOpenTasks, recipientsOf } from '../fan-out/send-tasks.ts';
import { publicationOf } from '../publish.ts';
import { sendSingle } from '../recovery/redeliver-one.ts';
import type { Tools } from '../tools.ts';

type JobTools = Tools<(typeof sweep)['uses'][number], 'deliveryDays'>;

/** The queues whose load the sweeper reads. */
export type LookedQueue = keyof JobTools['backlog'];

export interface SweepTools extends JobTools, Pick<DeliveryContext, 'onFailed'> {
  readonly randomBytes: (count: number) => Uint8Array;
  /** Returns the lowest rate at which the workers drain a queue. */
  readonly leastPerSecond: (queue: LookedQueue) => number;
  /** Called for each row that failed or is stuck. A failed row stays due. */
  readonly onError: OnRowError;
  /** Reports for how many milliseconds the oldest row has been due; 0 if no row is due. */
  readonly onOldest: (dueForMs: number) => void;
}

/**
 * Sends a lost confirmation again, with a new token, because tokens are not stored. The attempts of the lost
 * confirmation still count, so that the address does not receive more requests than usual.
 */
async function renewConfirmation(row: DueRow, tools: SweepTools): Promise<'ended' | 'asked'> {
  const { subscriptions, now, newId, randomBytes } = tools;
  const uuid = subscriptionOf(row.taskKey);
  const stored = await subscriptions.get(uuid, now());
  const lost = Object.values(stored?.requests ?? {}).find(({ messageId }) => messageId === row.messageId);
  if (stored === undefined || lost === undefined || !awaitsConfirmation(stored, lost, now())) {
    await tools.deliveries.dropDue(row, now());
    return 'ended';
  }
  const token = composeToken(uuid, randomBytes(32));
  const request = { ...newRequest(lost, newId(), now()), ...(lost.hostSlot && { hostSlot: lost.hostSlot }) };
  const attempt = row.attempt - row.base + (row.state === 'leased' ? 0 : 1);
  const task = { ...confirmationTask(stored, token, request), attempt };
  // Write the row of the new request first, because the new request may replace the lost request. The sweeper deletes a
  // row that has no request.
  await tools.deliveries.openSingle(task, now(), Math.floor(request.expiresAt / 1000), row.resumes + 1);
  const isAsked = await subscriptions.addRequest(stored, hashToken(token), request);
  if (isAsked) await tools.queues[laneOf(stored.protocol, 'confirmations')].send({ payload: task, group: uuid });
  // Delete the old row last, so that the row stays due if the process stops earlier.
  await tools.deliveries.dropDue(row, now());
  return isAsked ? 'asked' : 'ended';
}

/** Starts a reconciliation: fan-out checks all subscriptions to the message's topic, except for the given protocols. */
async function startReconciliation(
  message: MessageRow,
  skippedProtocols: readonly Protocol[] | undefined,
  { queues }: SweepTools,
): Promise<void> {
  const isFirstFanOut = message.shardBits === undefined;
  await queues.fanOut.send({
    payload: {
      ...publicationOf(message),
      isReconciliation: true,
      ...(isFirstFanOut && { isFirstFanOut }),
      ...(skippedProtocols && { skippedProtocols }),
    },
    group: message.topicUuid,
  });
}

/**
 * Resumes a retry whose timer was lost, an attempt whose worker stopped, a confirmation or a recovery, or reconciles a
 * message.
 */
export async function resumeRow(
  row: DueRow,
  tools: SweepTools,
  skippedProtocols?: readonly Protocol[],
): Promise<'resumed' | 'reconciled' | 'asked' | 'ended'> {
  const { messageId, taskKey, protocol } = row;
  if (taskKey === recoveryKey) {
    await tools.queues.fanOut.send({ payload: { recoveryOf: messageId }, group: messageId });
    return 'resumed';
  }
  if (row.isConfirmation) return renewConfirmation(row, tools);
  const message = await tools.deliveries.getMessage(messageId);
  if (protocol === undefined) {
    if (message === undefined) return 'ended';
    await startReconciliation(message, skippedProtocols, tools);
    return 'reconciled';
  }
  if (message === undefined) {
    const uuid = subscriptionOf(taskKey);
    // Do not report a failure if the subscription was deleted.
    if (await tools.subscriptions.get(uuid, tools.now())) tools.onFailed(messageId, uuid, { class: 'expired' });
    await tools.deliveries.dropDue(row, tools.now());
    return 'ended';
  }
  await sendSingle(message, { taskKey, protocol }, row.state === 'leased' ? row.attempt : row.attempt + 1, tools);
  return 'resumed';
}

// One sweeper serves all topics, so it reconciles only small topics. Fan-out reconciles larger topics.
const mostSubscriptions = 100;
// A throttled topic must not delay other topics.
const patienceMs = 2000;

/**
 * Completes a message of a small topic if no delivery is missing. The check takes three reads and one write. Returns
 * false if a task is open or missing, or if a request fails. Also returns false if the topic has at least
 * `mostSubscriptions` active subscriptions, or if the message has several row shards. In these cases, the caller starts
 * a reconciliation by fan-out, and counts it as a resume. Every error except a timeout is reported.
 */
export async function reconcileSmall(row: DueRow, tools: SweepTools): Promise<boolean> {
  const leftMs = timeOfInvocation();
  const until = tools.now() + patienceMs;
  return withinInvocation(
    () => Math.min(leftMs(), until - tools.now()),
    () => completeSmall(row, tools),
  ).catch((error: unknown) => {
    if (!isGivenUp(error)) tools.onError(error, row);
    return false;
  });
}

async function completeSmall({ messageId }: DueRow, tools: SweepTools): Promise<boolean> {
  const message = await tools.deliveries.getMessage(messageId);
  if (message?.shardBits === undefined || rowShardCount(message.shardBits) > 1) return false;
  const active: ActiveSubscription[] = [];
  // Any DynamoDB page may be short, not only the last page.
  for await (const page of tools.subscriptions.listActive(message, uuidRange(wholeTopic(0)), mostSubscriptions)) {
    active.push(...page);
    if (active.length >= mostSubscriptions) return false;
  }
  const { missing, workedOn } = await findOpenTasks(messageId, message.shardBits, recipientsOf(message, active), tools);
  if (missing.length + workedOn > 0) return false;
  await tools.deliveries.completeMessage(messageId);
  return true;
}

/**
 * Starts a visit to parked messages, and schedules the next visit. Visits do not count as resumes, so the number of
 * visits is unlimited.
 */
export async function startVisit(row: DueRow, tools: SweepTools): Promise<'visited' | 'taken'> {
  const { messageId: uuid, failingSince } = row;
  const now = tools.now();
  const forMs = visitWaitMs(failingSince, now, tools.settings.deliveryDays);
  if (!(await tools.deliveries.takeDue(row, now, { is: 'postponed', forMs, wasPostponed: false }))) return 'taken';
  await tools.queues.fanOut.send({ payload: { parkingOf: uuid }, group: uuid });
  return 'visited';
}
