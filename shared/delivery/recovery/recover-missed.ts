import { stateOf } from '../../domain/deliveries/delivery.ts';
import { type HistoryPosition, wantedFrom } from '../../domain/deliveries/delivery-history.ts';
import {
  nextPass,
  passOf,
  type Recovery,
  type RecoveryPayload,
  recoveryWaitMs,
  type StepEnd,
} from '../../domain/deliveries/recovery.ts';
import { deliveryExpiry } from '../../domain/deliveries/times.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import { isoTime } from '../../domain/time.ts';
import type { StoredDelivery } from '../../storage/deliveries/find-deliveries.ts';
import type { Tools } from '../tools.ts';
import { type RedeliverTools, redeliverOne } from './redeliver-one.ts';

/** After this delay, the index includes all messages that were published before the recovery started. */
const firstStepSeconds = 5;

/**
 * Starts redelivering the messages that a subscription has missed since the given time (epoch milliseconds). If `since`
 * is 0, the recovery starts at the subscription's first confirmation. If a recovery is in progress, this function
 * extends it. Returns the range (RFC 3339).
 */
export async function startRecovery(
  subscription: StoredSubscription,
  since: number,
  { deliveries, queues, now, newId, settings }: Tools<'deliveries:startRecovery' | 'queues:fanOut', 'deliveryDays'>,
): Promise<{ readonly since: string; readonly until: string }> {
  const { uuid } = subscription;
  const until = now();
  const from = Math.max(since, wantedFrom(subscription, until, settings.deliveryDays) ?? until);
  const asked = { since: isoTime(Math.min(from, until)), until: isoTime(until), stepId: newId() };
  const expiresAt = deliveryExpiry(until, settings.deliveryDays);
  const { recovery, isBegun } = await deliveries.startRecovery(uuid, asked, until, expiresAt);
  if (isBegun) {
    // If the queue loses the payload, the sweeper sends the payload again.
    const payload = { recoveryOf: uuid, stepId: recovery.stepId };
    await queues.fanOut.send({ payload, group: uuid, delaySeconds: firstStepSeconds });
  }
  return { since: recovery.since, until: recovery.until };
}

type RecoverUses = 'deliveries:continueRecovery' | 'deliveries:list' | 'subscriptions:read' | 'queues:fanOut';

type RecoverTools = RedeliverTools &
  Tools<RecoverUses> & {
    /** Called for each message that the recovery skips because the message's fan-out is overdue. */
    readonly onSkipped: (messageId: string, subscriptionUuid: string) => void;
  };

/** The maximum number of pending deliveries during a recovery. More could overload the receiver or the lane. */
const maxPending = 20;
// Reads 100 messages if 20 deliveries may be sent. If fewer may be sent, reads fewer messages, because most of them
// would not be used.
const pageSizeFor = (room: number): number => Math.max(25, 5 * room);
const skipAfterMs = 3_600_000;

interface Step {
  readonly is: StepEnd;
  readonly place: HistoryPosition | undefined;
  readonly sent: number;
}

/**
 * Runs one step of a recovery: reads the topic's messages, oldest first, and redelivers messages that match the
 * subscription but were not delivered. Each step sends a separate payload for the next step. Steps are safe to repeat.
 * The recovery ends if the subscription is deleted or paused.
 */
export async function runRecoveryStep(
  { recoveryOf: uuid, stepId }: RecoveryPayload,
  tools: RecoverTools,
): Promise<void> {
  const recovery = await tools.deliveries.getRecovery(uuid);
  if (recovery === undefined || recovery.isOver || (stepId ?? recovery.stepId) !== recovery.stepId) return;
  const subscription = await tools.subscriptions.get(uuid, tools.now());
  if (!subscription?.isActive) {
    await tools.deliveries.endRecovery(uuid, recovery, recovery.sent);
    return;
  }
  const step = await sendNextPage(recovery, subscription, tools);
  const sent = recovery.sent + step.sent;
  const further = step.is === 'done' ? nextPass(recovery) : undefined;
  const isEnd = step.is === 'done' && further === undefined;
  if (isEnd && (await tools.deliveries.endRecovery(uuid, recovery, sent))) return;
  const idle = step.is === 'full' && step.sent === 0 ? recovery.idle + 1 : 0;
  const waitMs = recoveryWaitMs(step.is, idle);
  const place = further === undefined ? step.place : undefined;
  const next = { stepId: tools.newId(), ...further, place, sent, idle, isOver: false };
  // Send the payload before recording the step: if the process stops in between, the queue repeats this step.
  const payload = { recoveryOf: uuid, stepId: next.stepId };
  await tools.queues.fanOut.send({ payload, group: uuid, delaySeconds: Math.ceil(waitMs / 1000) });
  await tools.deliveries.recordStep(uuid, recovery.stepId, next, tools.now() + waitMs);
}

async function sendNextPage(recovery: Recovery, subscription: StoredSubscription, tools: RecoverTools): Promise<Step> {
  const { uuid, generation } = subscription;
  const now = tools.now();
  const pass = passOf(recovery);
  const earliest = wantedFrom(subscription, now, tools.settings.deliveryDays) ?? now;
  const from = isoTime(Math.max(Date.parse(pass.from), earliest));
  if (from > pass.to) return { is: 'done', place: recovery.place, sent: 0 };
  // The start of the range advances over time, and may have passed the last position.
  const after = recovery.place !== undefined && recovery.place.timestamp >= from ? recovery.place : undefined;
  const room = maxPending - (await tools.deliveries.countWaiting(uuid, maxPending));
  if (room <= 0) return { is: 'full', place: after, sent: 0 };
  const span = { generation, from, to: pass.to, order: 'oldest first' } as const;
  const places = await tools.deliveries.listMessages(span, pageSizeFor(room), after);
  const step = await sendMissing(places, after, room, subscription, tools);
  return step.is === 'done' && places.length === pageSizeFor(room) ? { ...step, is: 'long' } : step;
}

/** Redelivers at most `room` missed messages of a page. */
async function sendMissing(
  places: readonly HistoryPosition[],
  after: HistoryPosition | undefined,
  room: number,
  subscription: StoredSubscription,
  tools: RecoverTools,
): Promise<Step> {
  let place = after;
  let sent = 0;
  const wanting = await findMissing(places, subscription, tools);
  for (const one of places) {
    const known = wanting.get(one.messageId);
    if (known !== undefined) {
      if (sent >= room) return { is: 'full', place, sent };
      const message = await tools.deliveries.getMessage(one.messageId);
      const done = message && (await redeliverOne(message, subscription, known, tools));
      if (done === 'unready' && tools.now() - Date.parse(one.timestamp) < skipAfterMs) {
        return { is: 'unready', place, sent };
      }
      if (done === 'unready') tools.onSkipped(one.messageId, subscription.uuid);
      if (done === 'sent') sent += 1;
    }
    place = one;
  }
  return { is: 'done', place, sent };
}

/** Returns the delivery records of messages that match the subscription but were not delivered. */
async function findMissing(
  places: readonly HistoryPosition[],
  subscription: StoredSubscription,
  { deliveries }: RecoverTools,
): Promise<ReadonlyMap<string, StoredDelivery>> {
  const messages = await deliveries.findMessages(places.map(({ messageId }) => messageId));
  const wanted = [...messages.values()].filter((message) => wantsEvent(subscription, message));
  // Slightly outdated data is harmless, because the redelivery checks the row again.
  const known = await deliveries.findDeliveries(subscription, wanted, true);
  const records = wanted.map(({ messageId }) => [messageId, known.get(messageId) ?? {}] as const);
  return new Map(records.filter(([, record]) => isMissed(record)));
}

function isMissed(known: StoredDelivery): boolean {
  const state = stateOf(known);
  if (state !== undefined && state !== 'failed') return false;
  // If a message was delivered and a later redelivery failed, the message does not count as missed.
  const wasDelivered = known.batchOutcome?.next === 'none' || known.single?.past.some(([kind]) => kind === 'delivered');
  return !wasDelivered;
}
