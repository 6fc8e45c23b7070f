import { wantedFrom } from '../../domain/deliveries/consent.ts';
import { stateOf } from '../../domain/deliveries/describe-delivery.ts';
import type { Place } from '../../domain/deliveries/log-place.ts';
import { turnWaitMs } from '../../domain/deliveries/turn.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { RecoveryPayload } from '../../model/deliveries/recovery-payload.ts';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { LoggedDelivery } from '../../storage/deliveries/log.ts';
import type { Recovery } from '../../storage/deliveries/recovery.ts';
import type { Queue } from '../../storage/queues/queues.ts';
import { type AgainTools, deliverAgain } from './deliver-again.ts';

/** What a step of a recovery needs. */
export interface RecoverTools extends Omit<AgainTools, 'ledger' | 'queues'> {
  readonly ledger: AgainTools['ledger'] &
    ReturnType<typeof ledger.permissions.recover> &
    ReturnType<typeof ledger.permissions.log>;
  readonly subscriptions: { get(uuid: string, now: number): Promise<StoredSubscription | undefined> };
  readonly queues: AgainTools['queues'] & { readonly fanOut: Pick<Queue<RecoveryPayload>, 'send'> };
  readonly newId: () => string;
  /** Hears of a message that is passed over: it has been sent out for so long that nobody knows whether it will be. */
  readonly onPassedOver: (messageId: string, subscriptionUuid: string) => void;
}

/** So many messages of one recovery wait, or are tried, at once: no receiver is flooded, and no lane. */
export const mostAtOnce = 20;
const pageSize = 100;
// Other payloads of the batch wait for it.
const stepMs = 3000;
const nextStepMs = 2000;
const unreadyMs = 60_000;
const passedOverMs = 3_600_000;

/** How a step ended. `full`: as many wait as may; `unready`: the next message is being sent out; `long`: there is more to read. */
interface Step {
  readonly is: 'done' | 'full' | 'unready' | 'long';
  readonly place: Place | undefined;
  readonly sent: number;
}

/**
 * Makes the next step of a recovery: passes over the messages of the topic, the oldest first, and has those delivered again, or
 * for the first time, that the subscription wants and has not got. Then it goes on as a payload of its own, once there is room. Made
 * twice it does no harm. It ends where the subscription has left, or is paused: whoever resumes it asks for another.
 */
export async function recoverStep({ recoveryOf: uuid, stepId }: RecoveryPayload, tools: RecoverTools): Promise<void> {
  const recovery = await tools.ledger.recoveryOf(uuid);
  if (recovery === undefined || recovery.isOver || (stepId ?? recovery.stepId) !== recovery.stepId) return;
  const subscription = await tools.subscriptions.get(uuid, tools.now());
  if (!subscription?.isActive) {
    await tools.ledger.endRecovery(uuid, recovery, recovery.sent);
    return;
  }
  const step = await passOver(recovery, subscription, tools);
  const sent = recovery.sent + step.sent;
  if (step.is === 'done' && (await tools.ledger.endRecovery(uuid, recovery, sent))) return;
  const waitMs = waitAfter(step, subscription, tools.now());
  const next = { stepId: tools.newId(), place: step.place, sent, isOver: false };
  // First the payload: where we die after it, this one is shown again.
  const payload = { recoveryOf: uuid, stepId: next.stepId };
  await tools.queues.fanOut.send({ payload, group: uuid, delaySeconds: Math.ceil(waitMs / 1000) });
  await tools.ledger.stepped(uuid, recovery.stepId, next, tools.now() + waitMs);
}

function waitAfter({ is }: Step, { failingSince }: StoredSubscription, now: number): number {
  if (is === 'unready') return unreadyMs;
  return is === 'full' && failingSince !== undefined ? turnWaitMs(failingSince, now) : nextStepMs;
}

async function passOver(recovery: Recovery, subscription: StoredSubscription, tools: RecoverTools): Promise<Step> {
  const { uuid, generation } = subscription;
  const now = tools.now();
  const earliest = wantedFrom(subscription, now, tools.settings.ledgerDays) ?? now;
  const from = new Date(Math.max(Date.parse(recovery.since), earliest)).toISOString();
  if (from > recovery.until) return { is: 'done', place: recovery.place, sent: 0 };
  const span = { generation, from, to: recovery.until, order: 'oldest first' } as const;
  const room = mostAtOnce - (await tools.ledger.countWaiting(uuid, mostAtOnce));
  // What was looked at last may be too old to be a place by now.
  let place = recovery.place !== undefined && recovery.place.timestamp >= from ? recovery.place : undefined;
  let sent = 0;
  for (;;) {
    const places = await tools.ledger.published(span, pageSize, place);
    const wanting = await wantingOf(places, subscription, tools);
    for (const one of places) {
      const known = wanting.get(one.messageId);
      if (known !== undefined) {
        if (sent >= room) return { is: 'full', place, sent };
        const message = await tools.ledger.message(one.messageId);
        const done = message && (await deliverAgain(message, subscription, known, tools));
        if (done === 'unready' && tools.now() - Date.parse(one.timestamp) < passedOverMs) {
          return { is: 'unready', place, sent };
        }
        if (done === 'unready') tools.onPassedOver(one.messageId, uuid);
        if (done === 'sent') sent += 1;
      }
      place = one;
    }
    if (places.length < pageSize) return { is: 'done', place, sent };
    if (tools.now() - now > stepMs) return { is: 'long', place, sent };
  }
}

/** Those of the messages that the subscription wants, has not got, and that are not on their way; with what the ledger knows of them. */
async function wantingOf(
  places: readonly Place[],
  subscription: StoredSubscription,
  { ledger }: RecoverTools,
): Promise<ReadonlyMap<string, LoggedDelivery>> {
  const messages = await ledger.messages(places.map(({ messageId }) => messageId));
  const wanted = [...messages.values()].filter((message) => wantsEvent(subscription, message));
  const known = await ledger.known(subscription, wanted);
  const wanting = wanted.flatMap(({ messageId }) => {
    const knownOf = known.get(messageId) ?? {};
    return isMissing(knownOf) ? [[messageId, knownOf] as const] : [];
  });
  return new Map(wanting);
}

function isMissing(known: LoggedDelivery): boolean {
  const state = stateOf(known);
  if (state !== undefined && state !== 'failed') return false;
  // Made anew after it was delivered, and failed then.
  const wasDelivered = known.shared?.next === 'none' || known.own?.past.some(([kind]) => kind === 'delivered');
  return !wasDelivered;
}
