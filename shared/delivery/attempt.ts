import { channelOf } from '../domain/deliveries/channels.ts';
import { type ComposedMessage, composeMessage } from '../domain/deliveries/compose-message.ts';
import type { KeptResponse } from '../domain/deliveries/kept-response.ts';
import type { DeliveryOutcome } from '../domain/deliveries/outcome.ts';
import { decideRetry, decideTest } from '../domain/deliveries/retry.ts';
import type { DeliveryTask } from '../domain/deliveries/task.ts';
import { memoized } from '../domain/memoized.ts';
import { requestOfToken } from '../domain/subscriptions/confirmation-requests.ts';
import { decideConfirmationRetry } from '../domain/subscriptions/confirmation-retry.ts';
import type { DeliveryFormat, StoredSubscription } from '../domain/subscriptions/subscription.ts';
import { isGivenUp, yieldingToRecords } from '../lambda/time-left.ts';
import type { Lease } from '../storage/deliveries/rows.ts';
import type { Outcomes, PriorAttempts } from '../storage/deliveries/single-deliveries.ts';
import { retrySending } from './after-effects.ts';
import { type DeliveryContext, taskIdOf } from './delivery-context.ts';

/** Returns whether enough time is left to make and record an attempt, even if the receiver is slow. */
export const hasTimeToAttempt = ({ timeLeftMs, attemptMs }: DeliveryContext): boolean => timeLeftMs() >= attemptMs;

/**
 * Reads the data for an attempt and acquires the attempt's lease. Postpones the task and returns undefined if too little
 * time is left, for example because DynamoDB throttled the requests. An attempt that cannot be recorded would be
 * repeated.
 */
export async function prepare<Result>(
  task: DeliveryTask,
  context: DeliveryContext,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const leftMs = () => context.timeLeftMs() - context.attemptMs;
    if (hasTimeToAttempt(context)) return await yieldingToRecords(leftMs, run);
  } catch (error) {
    if (!isGivenUp(error)) throw error;
  }
  await postponeTask(task, context);
  return undefined;
}

/**
 * Postpones a task whose attempt could not start. Sends the task to the `retry` queue as a new queue message, so that
 * SQS does not count another receive. Each postponement doubles the delay, up to 16 times the first delay, because a
 * DynamoDB outage affects all tasks.
 */
async function postponeTask(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const { postponements = 0 } = task;
  const times = 2 ** Math.min(mostDoublings, postponements);
  const delaySeconds = Math.ceil((leastSeconds + context.jitter() * spreadSeconds) * times);
  const now = context.now();
  const postponed = { ...task, postponements: postponements + 1 };
  await context.queues.retry.sendMany([retrySending(now + delaySeconds * 1000, postponed, now)]);
}

/** Releases the task's lease if too little time is left for an attempt, and postpones the task. */
export async function releaseTask(task: DeliveryTask, lease: Lease, context: DeliveryContext): Promise<void> {
  await context.deliveries.release(taskIdOf(task), lease).catch(() => {});
  await postponeTask(task, context);
}

const leastSeconds = 5;
const spreadSeconds = 15;
const mostDoublings = 4;

/**
 * Returns a function that composes a task's message in the delivery format of a subscription. Subscriptions with the
 * same format share one message, so that it is signed only once. The key of a batch does not contain the format:
 * otherwise, a reconciliation after a format change would send the message again.
 */
export function messageComposer({ content }: DeliveryTask, body: string, { settings }: DeliveryContext) {
  const messageIn = memoized((deliveryFormat: DeliveryFormat) =>
    composeMessage(content, body, { ...settings, deliveryFormat }),
  );
  return ({ deliveryFormat }: StoredSubscription): ComposedMessage =>
    messageIn(deliveryFormat ?? settings.deliveryFormat);
}

/** Sends the message to one subscription and decides what happens next. */
export async function attempt(
  task: DeliveryTask,
  message: ComposedMessage,
  { base, previous }: PriorAttempts,
  subscription: StoredSubscription,
  context: DeliveryContext,
): Promise<{ readonly outcome: DeliveryOutcome; readonly response: KeptResponse | undefined }> {
  const startedAt = context.now();
  let askedAt = startedAt;
  const patience = watchPatience(task, subscription, context);
  const onBegun = () => {
    askedAt = context.now();
    patience.begin();
  };
  const progress = { onConnecting: patience.connect, onBegun };
  const { response, ...outcome } = await context.sender.deliver(message, subscription, progress).finally(patience.end);
  const endedAt = context.now();
  const { failingSince } = subscription;
  const { deliveryDays } = context.settings;
  // A probe does not count as one of the policy's retries.
  const counted = task.attempt - base - (task.isProbe ? 1 : 0);
  const end = { attempt: counted, outcome, endedAt, jitter: context.jitter(), failingSince, deliveryDays };
  const { content } = task;
  const isEvent = content.type === 'Notification';
  const isTest = isEvent && content.isTest;
  const request = isEvent ? undefined : requestOfToken(subscription, content.token);
  const decision =
    request === undefined
      ? (isTest ? decideTest : decideRetry)({ ...end, policy: subscription })
      : decideConfirmationRetry({ ...end, policy: request, startedAt, previous, tokenExpiresAt: request.expiresAt });
  // The retry policy applies to a parked message only after its release.
  const next = task.isProbe && decision.next === 'retry' ? 'parked' : decision.next;
  return {
    outcome: { ...decision, next, tookMs: endedAt - askedAt },
    // Do not keep responses to confirmation requests, because the owner of the address has not agreed to share them.
    response:
      response === undefined || !isEvent ? undefined : { text: response, at: endedAt, owner: subscription.owner },
  };
}

/** Reports attempts. Call this function after recording the attempts, because reporting must not delay the records. */
export function reportAttempts(task: DeliveryTask, outcomes: Outcomes, { onAttempted }: DeliveryContext): void {
  for (const [uuid, outcome] of Object.entries(outcomes)) {
    if (outcome.class === 'split') continue;
    onAttempted(task.content.messageId, uuid, task.attempt, outcome, lagOf(task, outcome));
  }
}

/** Returns the time in milliseconds from publication to the first attempt; undefined for single deliveries. */
function lagOf(
  { content, isSingle }: DeliveryTask,
  { at, tookMs = 0, isPostponed }: DeliveryOutcome,
): number | undefined {
  if (isSingle || isPostponed || content.type !== 'Notification') return undefined;
  return Math.max(0, at - tookMs - Date.parse(content.timestamp));
}

// The time limit for connecting is five times as long, because a process that serves many receivers opens connections
// more slowly.
const connectingPatience = 5;

/**
 * Marks the subscription as failing if its receiver responds slowly, so that its next messages do not delay other
 * receivers.
 */
function watchPatience({ content }: DeliveryTask, subscription: StoredSubscription, context: DeliveryContext) {
  const { patienceMs } = channelOf(subscription.protocol);
  // If the subscription is active, another client requested this confirmation, so the outcome does not affect the
  // subscription's health.
  const isOfAnother = content.type === 'SubscriptionConfirmation' && subscription.isActive;
  if (patienceMs === undefined || subscription.isFailing || isOfAnother) return { connect() {}, begin() {}, end() {} };
  const note = () => {
    // Errors are ignored, because the health is recorded again at the end of the attempt.
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
