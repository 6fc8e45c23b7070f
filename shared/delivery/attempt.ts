import { channelOf } from '../domain/deliveries/channels.ts';
import type { ComposedMessage } from '../domain/deliveries/compose-message.ts';
import type { DeliveryOutcome } from '../domain/deliveries/outcome.ts';
import { decideRetry, decideTest } from '../domain/deliveries/retry.ts';
import type { DeliveryTask } from '../domain/deliveries/task.ts';
import { requestOfToken } from '../domain/subscriptions/confirmation-requests.ts';
import { decideConfirmationRetry } from '../domain/subscriptions/confirmation-retry.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';
import { withinInvocation } from '../lambda/time-left.ts';
import type { Lease } from '../storage/deliveries/rows.ts';
import type { Outcomes, PriorAttempts } from '../storage/deliveries/single-deliveries.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { taskIdOf } from './read-task.ts';

/** Whether there is time for an attempt and its record, however slow the receiver is. */
export const hasTimeToAttempt = ({ timeLeftMs, attemptMs }: DeliveryContext): boolean => timeLeftMs() >= attemptMs;

/** `isLate`: the preparation took so long that no attempt fits in the time left. */
type Prepared<Result> = { readonly isLate: false; readonly result: Result } | { readonly isLate: true };

/**
 * Runs the reads and the lease that come before an attempt. DynamoDB may throttle them, and an attempt that cannot be
 * recorded would be repeated. So this function gives up when no attempt fits in the time left.
 */
export async function prepare<Result>(context: DeliveryContext, run: () => Promise<Result>): Promise<Prepared<Result>> {
  if (!hasTimeToAttempt(context)) return { isLate: true };
  try {
    const result = await withinInvocation(() => context.timeLeftMs() - context.attemptMs, run);
    return { isLate: false, result };
  } catch (error) {
    // Retries inside `run` end a little before the deadline.
    if (context.timeLeftMs() - context.attemptMs > waitMarginMs) throw error;
    return { isLate: true };
  }
}

// The longest pause between two retries, and some reserve.
const waitMarginMs = 1500;

/**
 * Postpones a task that could not start. The task returns to its lane through the queue `retry`, so it does not count
 * towards the dead-letter queue. Each postponement is longer than the last, because an outage of DynamoDB affects every
 * task.
 */
export async function postponeTask(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const { postponements = 0 } = task;
  const times = 2 ** Math.min(mostDoublings, postponements);
  const delaySeconds = Math.ceil((leastSeconds + context.jitter() * spreadSeconds) * times);
  const payload = {
    notBefore: context.now() + delaySeconds * 1000,
    task: { ...task, postponements: postponements + 1 },
  };
  await context.retry.sendMany([{ group: task.subscriptionUuids[0] ?? task.taskKey, payload, delaySeconds }]);
}

/** Releases a lease that came too late for an attempt. If this write fails, the lease expires. */
export async function releaseTask(task: DeliveryTask, lease: Lease, context: DeliveryContext): Promise<void> {
  await context.deliveries.release(taskIdOf(task), lease).catch(() => {});
  await postponeTask(task, context);
}

const leastSeconds = 5;
const spreadSeconds = 15;
const mostDoublings = 4;

/** Sends the message to one subscription and decides what happens next. */
export async function attempt(
  task: DeliveryTask,
  message: ComposedMessage,
  { base, previous }: PriorAttempts,
  subscription: StoredSubscription,
  context: DeliveryContext,
): Promise<DeliveryOutcome> {
  const startedAt = context.now();
  let askedAt = startedAt;
  const patience = watchPatience(task, subscription, context);
  const onBegun = () => {
    askedAt = context.now();
    patience.begin();
  };
  const progress = { onConnecting: patience.connect, onBegun };
  const outcome = await context.sender.deliver(message, subscription, progress).finally(patience.end);
  const endedAt = context.now();
  const { failingSince } = subscription;
  const end = { attempt: task.attempt - base, outcome, endedAt, jitter: context.jitter(), failingSince };
  const isTest = task.content.type === 'Notification' && task.content.isTest;
  const request = task.content.type === 'Notification' ? undefined : requestOfToken(subscription, task.content.token);
  const decision =
    request === undefined
      ? (isTest ? decideTest : decideRetry)({ ...end, policy: subscription })
      : decideConfirmationRetry({ ...end, policy: request, startedAt, previous, tokenExpiresAt: request.expiresAt });
  return { ...decision, tookMs: endedAt - askedAt };
}

/** Reports attempts. Called after their record, because nothing may come between an attempt and its record. */
export function reportAttempts(task: DeliveryTask, outcomes: Outcomes, { onAttempted }: DeliveryContext): void {
  for (const [uuid, outcome] of Object.entries(outcomes)) {
    if (outcome.class === 'split') continue;
    onAttempted(task.content.messageId, uuid, task.attempt, outcome, lagOf(task, outcome));
  }
}

/** A single delivery is a repeated or deferred one, so it has no lag. */
function lagOf(
  { content, isSingle }: DeliveryTask,
  { at, tookMs = 0, isPostponed }: DeliveryOutcome,
): number | undefined {
  if (isSingle || isPostponed || content.type !== 'Notification') return undefined;
  return Math.max(0, at - tookMs - Date.parse(content.timestamp));
}

// With many receivers at once, our own load can make connecting slow.
const connectingPatience = 5;

/**
 * Marks the subscription as failing if the receiver hangs, so that its next messages do not delay others. The time
 * counts from the request, and is longer while we connect.
 */
function watchPatience({ content }: DeliveryTask, subscription: StoredSubscription, context: DeliveryContext) {
  const { patienceMs } = channelOf(subscription.protocol);
  // Another client requested this confirmation, so its outcome says nothing about the active subscription.
  const isOfAnother = content.type === 'SubscriptionConfirmation' && subscription.isActive;
  if (patienceMs === undefined || subscription.isFailing || isOfAnother) return { connect() {}, begin() {}, end() {} };
  const note = () => {
    // This write is only a hint. If it is lost, the end of the attempt records the health.
    context.subscriptions.recordHealth(subscription, { isFailing: true }).catch(() => {});
  };
  let end = () => {};
  const within = (ms: number) => () => {
    end();
    end = context.afterMs(ms, note);
  };
  return {
    connect: within(connectingPatience * patienceMs),
    begin: within(patienceMs),
    end: () => end(),
  };
}
