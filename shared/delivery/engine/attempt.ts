import { assessHealth, patienceMs } from '../../domain/deliveries/health.ts';
import { nextHop } from '../../domain/deliveries/hop.ts';
import { decideRetry } from '../../domain/deliveries/retry.ts';
import type { ComposedMessage } from '../../domain/messages/compose-message.ts';
import { hashToken } from '../../domain/subscriptions/subscription-token.ts';
import type { Content } from '../../model/deliveries/message.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import type { DeliveryContext } from './delivery-context.ts';

/** Those of the task's subscriptions that still want it, those that a notification finds paused, and its body. */
export async function readTask(task: DeliveryTask, context: DeliveryContext) {
  const [present, body] = await Promise.all([
    context.subscriptions.getMany(task.subscriptionUuids),
    bodyOf(task.content, context),
  ]);
  const now = context.now();
  const due = present.filter((subscription) => isDue(task.content, subscription, now));
  const paused = present.filter((subscription) => isPaused(task.content, subscription));
  return { due, paused, body };
}

async function bodyOf(content: Content, context: DeliveryContext): Promise<string> {
  if (content.type === 'SubscriptionConfirmation') return '';
  const body = content.bodyBase64 ?? (await bodyOnce(content.messageId, context));
  if (body === undefined) throw new Error(`the ledger has no body of message ${content.messageId}`);
  return body;
}

function bodyOnce(messageId: string, { bodies, ledger }: DeliveryContext): Promise<string | undefined> {
  const reading = bodies.get(messageId) ?? ledger.bodyOf(messageId);
  bodies.set(messageId, reading);
  return reading;
}

// Clocks of two functions may differ by this much.
const clockMs = 5000;

/** Whether it was there when the message was published: an address may have left and come back, a topic too. */
function isSame(content: Content & { type: 'Notification' }, { generation, createdAt }: StoredSubscription): boolean {
  return generation === content.generation && createdAt <= Date.parse(content.timestamp) + clockMs;
}

function isPaused(content: Content, subscription: StoredSubscription): boolean {
  return content.type === 'Notification' && subscription.pausedReason !== undefined && isSame(content, subscription);
}

/** A confirmation is due while its token is the one that counts; a notification while the same subscription is active. */
function isDue(content: Content, subscription: StoredSubscription, now: number): boolean {
  if (content.type === 'Notification') {
    return subscription.isActive && isSame(content, subscription);
  }
  const isCurrent = hashToken(content.token) === subscription.tokenHash;
  return isCurrent && !subscription.isActive && subscription.tokenExpiresAt > now;
}

/** Sends to one subscription and decides what follows. `base`: the attempt that its policy counts from. */
export async function attemptOne(
  task: DeliveryTask,
  message: ComposedMessage,
  base: number,
  subscription: StoredSubscription,
  context: DeliveryContext,
): Promise<LedgerOutcome> {
  const startedAt = context.now();
  const stopWaiting = context.later(patienceMs, () => {
    // Noted before it has ended: while one receiver hangs, its next messages must not hold up anybody.
    if (subscription.protocol === 'http' && !subscription.isFailing)
      context.subscriptions.noteHealth(subscription, { isFailing: true }).catch(() => {});
  });
  const outcome = await context.sender.deliver(message, subscription).finally(stopWaiting);
  const endedAt = context.now();
  const attempt = task.attempt - base;
  const decision = decideRetry({ policy: subscription, attempt, outcome, endedAt, jitter: context.jitter() });
  const attempted = { ...decision, tookMs: endedAt - startedAt };
  context.onAttempted(task.content.messageId, subscription.uuid, task.attempt, attempted);
  return attempted;
}

/** The subscription's own task for a later attempt. */
export const singleTask = (task: DeliveryTask, uuid: string, attempt: number): DeliveryTask => ({
  ...task,
  taskKey: `one#${uuid}`,
  isSingle: true,
  attempt,
  subscriptionUuids: [uuid],
});

/** Sends the retries of these outcomes to wait, and what was moved to its queue. Sent twice they do no harm. */
async function sendFollowing(task: DeliveryTask, outcomes: Outcomes, context: DeliveryContext): Promise<void> {
  const following = Object.entries(outcomes).filter(([, { next }]) => next === 'retry');
  const moved = following.filter(([, outcome]) => outcome.class === 'split');
  const retries = following.filter(([, outcome]) => outcome.class !== 'split');
  if (moved.length > 0) {
    await context.queue.sendMany(moved.map(([uuid]) => ({ group: uuid, payload: singleTask(task, uuid, 0) })));
  }
  const waiting = retries.map(([uuid, { notBefore = 0 }]) => {
    const hop = nextHop(notBefore, context.now(), context.hopSeconds);
    const payload = { notBefore, task: singleTask(task, uuid, task.attempt + 1) };
    return { group: uuid, payload, delaySeconds: hop.isDue ? 0 : hop.delaySeconds };
  });
  if (waiting.length > 0) await context.retry.sendMany(waiting);
}

/** Notes what the subscriptions' rows must learn, and reports what has failed for good. */
async function noteHealth(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const { content } = task;
  const notes = subscriptions.map(async (subscription) => {
    const outcome = outcomes[subscription.uuid];
    if (outcome === undefined) return;
    if (outcome.next === 'failed') context.onFailed(content.messageId, subscription.uuid, outcome);
    if (content.type === 'SubscriptionConfirmation') {
      const hasFailed = outcome.next === 'failed';
      if (hasFailed || task.attempt === 0) {
        await context.subscriptions.confirmationSent(subscription.uuid, hashToken(content.token), hasFailed);
      }
      return;
    }
    const change = assessHealth(subscription, outcome, context.pauseAfterMs);
    if (change) await context.subscriptions.noteHealth(subscription, change);
  });
  await Promise.all(notes);
}

/** Keeps the message as long as its retries last, which may be longer than the ledger otherwise keeps it. */
async function keepForRetries(
  { content }: DeliveryTask,
  outcome: LedgerOutcome,
  context: DeliveryContext,
): Promise<void> {
  const { next, notBefore = 0 } = outcome;
  const isLong = notBefore - Date.parse(content.timestamp) > context.ledgerMs / 2;
  if (next !== 'retry' || !isLong) return;
  await context.ledger.keepMessage(content.messageId, Math.ceil((notBefore + context.ledgerMs) / 1000));
}

/** Everything that follows from outcomes once they are recorded; done again after a crash it does no harm. */
export async function follow(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  await sendFollowing(task, outcomes, context);
  for (const outcome of Object.values(outcomes)) await keepForRetries(task, outcome, context);
  await noteHealth(task, subscriptions, outcomes, context);
}
