import { channelOf } from '../../domain/deliveries/channels.ts';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { decideRetry, decideTest } from '../../domain/deliveries/retry.ts';
import { decideConfirmationRetry } from '../../domain/subscriptions/confirmation-retry.ts';
import { requestOfToken } from '../../domain/subscriptions/confirmation-state.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Before } from '../../storage/deliveries/deliver-single.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import type { DeliveryContext } from '../delivery-context.ts';

/** Sends to one subscription and decides what follows. */
export async function attempt(
  task: DeliveryTask,
  message: ComposedMessage,
  { base, previous }: Before,
  subscription: StoredSubscription,
  context: DeliveryContext,
): Promise<LedgerOutcome> {
  const startedAt = context.now();
  let askedAt = startedAt;
  const patience = patienceWith(task, subscription, context);
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

/** Tells of the attempts that were made: once they are recorded, for nothing may come between a POST and its record. */
export function tellAttempts(task: DeliveryTask, outcomes: Outcomes, { onAttempted }: DeliveryContext): void {
  for (const [uuid, outcome] of Object.entries(outcomes)) {
    if (outcome.class === 'split') continue;
    onAttempted(task.content.messageId, uuid, task.attempt, outcome, lagOf(task, outcome));
  }
}

/** What is delivered alone has failed before, or is sent again. */
function lagOf(
  { content, isSingle }: DeliveryTask,
  { at, tookMs = 0, isPostponed }: LedgerOutcome,
): number | undefined {
  if (isSingle || isPostponed || content.type !== 'Notification') return undefined;
  return Math.max(0, at - tookMs - Date.parse(content.timestamp));
}

// With many receivers at once, connecting may take long by our own doing.
const connectingPatience = 5;

/**
 * Notes a receiver that hangs before its attempt has ended: its next messages must not hold up anybody meanwhile. Patience counts
 * from when the receiver is asked, and is longer while we connect to it.
 */
function patienceWith({ content }: DeliveryTask, subscription: StoredSubscription, context: DeliveryContext) {
  const { patienceMs } = channelOf(subscription.protocol);
  // What another client asks of its address says nothing of whose it is.
  const isOfAnother = content.type === 'SubscriptionConfirmation' && subscription.isActive;
  if (patienceMs === undefined || subscription.isFailing || isOfAnother) return { connect() {}, begin() {}, end() {} };
  const note = () => {
    // A hint to others: where it is lost, they learn it from the attempt's end.
    context.subscriptions.noteHealth(subscription, { isFailing: true }).catch(() => {});
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
