import { type ComposeSettings, composeMessage } from '../domain/compose-message.ts';
import { nextHop } from '../domain/hop.ts';
import { decideRetry } from '../domain/retry.ts';
import { hashToken } from '../domain/subscription-token.ts';
import { Busy, type LedgerOutcome } from '../model/delivery.ts';
import type { Content, DeliveryTask, WaitingTask } from '../model/message.ts';
import type { StoredSubscription } from '../model/subscription.ts';
import type { deliveries } from '../storage/deliveries.ts';
import type { Sending } from '../storage/queues.ts';
import type { subscriptions } from '../storage/subscriptions.ts';
import type { Channel } from './channel.ts';

type Opened<Open extends (...inputs: never[]) => object> = ReturnType<Open>;

/** What delivering needs: the stores' methods, a channel, a clock. */
export interface Engine {
  readonly subscriptions: Opened<typeof subscriptions.permissions.deliver>;
  readonly deliveries: Opened<typeof deliveries.permissions.deliver>;
  readonly retry: { sendMany(sendings: readonly Sending<WaitingTask>[]): Promise<void> };
  /** The queue that this channel's tasks come from. */
  readonly queue: { sendMany(sendings: readonly Sending<DeliveryTask>[]): Promise<void> };
  readonly channel: Channel;
  readonly now: () => number;
  readonly compose: ComposeSettings;
  /** Longer than the function may run, shorter than the queue hides a message. */
  readonly leaseMs: number;
  readonly ledgerMs: number;
  readonly hopSeconds: number;
}

/** A confirmation is due while its token is the one that counts; a notification while the subscription is active. */
function isDue(content: Content, subscription: StoredSubscription, now: number): boolean {
  if (content.type === 'Notification') return subscription.isActive;
  const isCurrent = hashToken(content.token) === subscription.tokenHash;
  return isCurrent && !subscription.isActive && subscription.tokenExpiresAt > now;
}

const singleTask = (task: DeliveryTask, uuid: string, attempt: number): DeliveryTask => ({
  ...task,
  taskKey: `one#${uuid}`,
  isSingle: true,
  attempt,
  subscriptionUuids: [uuid],
});

/**
 * What follows from recorded outcomes. It may run twice: a retry sent again is the same attempt of the same ledger row,
 * which is claimed once.
 */
async function followUp(task: DeliveryTask, outcomes: Readonly<Record<string, LedgerOutcome>>, engine: Engine) {
  const waiting = Object.entries(outcomes).flatMap(([uuid, { next, notBefore = 0 }]) => {
    if (next !== 'retry') return [];
    const hop = nextHop(notBefore, engine.now(), engine.hopSeconds);
    const job = { notBefore, task: singleTask(task, uuid, task.attempt + 1) };
    return [{ group: uuid, job, delaySeconds: hop.isDue ? 0 : hop.delaySeconds }];
  });
  if (waiting.length > 0) await engine.retry.sendMany(waiting);
  if (task.content.type === 'Notification') return;
  const tokenHash = hashToken(task.content.token);
  const failed = Object.entries(outcomes).filter(([, { next }]) => next === 'failed');
  await Promise.all(failed.map(([uuid]) => engine.subscriptions.confirmationFailed(uuid, tokenHash)));
}

async function bodyOf(content: Content, engine: Engine): Promise<string> {
  if (content.type === 'SubscriptionConfirmation') return '';
  const body = content.bodyBase64 ?? (await engine.deliveries.bodyOf(content.messageId));
  if (body === undefined) throw new Error(`the ledger has no body of message ${content.messageId}`);
  return body;
}

/**
 * Delivers one task: reads who is still subscribed, claims the attempt, sends to all of them at once, records how it
 * ended, and sends what failed to wait.
 *
 * Once only: the claim suppresses duplicates that the queue makes. When the process dies between sending and recording,
 * the lease runs out, the queue shows the task again and the receiver gets the message a second time with the same
 * message-id. When it dies between recording and the follow-up, the follow-up is done then.
 * @throws Busy while another copy holds the claim
 */
export async function deliverTask(task: DeliveryTask, engine: Engine): Promise<void> {
  const { messageId } = task.content;
  const [present, body] = await Promise.all([
    engine.subscriptions.getMany(task.subscriptionUuids),
    bodyOf(task.content, engine),
  ]);
  const startedAt = engine.now();
  const due = present.filter((subscription) => isDue(task.content, subscription, startedAt));
  if (due.length === 0) return;

  const attempt = { messageId, taskKey: task.taskKey, attempt: task.attempt };
  const leaseUntil = startedAt + engine.leaseMs;
  const expiresAt = Math.floor((startedAt + engine.ledgerMs) / 1000);
  const claim = await engine.deliveries.claim(attempt, { now: startedAt, leaseUntil, expiresAt });
  if (claim.is === 'busy') throw new Busy(`${messageId} ${task.taskKey} is being delivered`);
  if (claim.is === 'done') return finishEarlier(task, due, claim.outcomes, engine);

  const message = composeMessage(task.content, body, engine.compose);
  const attempts = due.map(async (subscription) => {
    const outcome = await engine.channel.deliver(message, subscription);
    const end = { policy: subscription, attempt: task.attempt, outcome, endedAt: engine.now() };
    return [subscription.uuid, decideRetry(end)] as const;
  });
  const outcomes = Object.fromEntries(await Promise.all(attempts));
  const isRecorded = await engine.deliveries.record(attempt, leaseUntil, outcomes);
  if (isRecorded) await followUp(task, outcomes, engine);
}

/** The attempt was recorded before: its follow-up may be missing, and fan-out may have found more subscriptions since. */
async function finishEarlier(
  task: DeliveryTask,
  due: readonly StoredSubscription[],
  outcomes: Readonly<Record<string, LedgerOutcome>>,
  engine: Engine,
): Promise<void> {
  await followUp(task, outcomes, engine);
  if (task.isSingle) return;
  const missing = due.filter(({ uuid }) => !Object.hasOwn(outcomes, uuid));
  const tasks = missing.map(({ uuid }) => ({ group: uuid, job: singleTask(task, uuid, 0) }));
  if (tasks.length > 0) await engine.queue.sendMany(tasks);
}
