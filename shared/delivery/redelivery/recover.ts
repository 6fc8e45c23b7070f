import { wantedFrom } from '../../domain/deliveries/consent.ts';
import { stateOf } from '../../domain/deliveries/delivery.ts';
import type { Place } from '../../domain/deliveries/log-place.ts';
import { nextPass, passOf } from '../../domain/deliveries/recovery.ts';
import { recoveryWaitMs, type StepEnd } from '../../domain/deliveries/recovery-wait.ts';
import { isoTime } from '../../domain/iso-time.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { RecoveryPayload } from '../../model/deliveries/recovery-payload.ts';
import type { LoggedDelivery } from '../../storage/deliveries/known.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { Recovery } from '../../storage/deliveries/row-schemas.ts';
import type { Queue } from '../../storage/queues/store.ts';
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
// A step reads one page: 100 messages where there is room for twenty, and fewer where most would be read in vain.
const pageSizeFor = (room: number): number => Math.max(25, 5 * room);
const passedOverMs = 3_600_000;

interface Step {
  readonly is: StepEnd;
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
  const further = step.is === 'done' ? nextPass(recovery) : undefined;
  const isEnd = step.is === 'done' && further === undefined;
  if (isEnd && (await tools.ledger.endRecovery(uuid, recovery, sent))) return;
  const idle = step.is === 'full' && step.sent === 0 ? recovery.idle + 1 : 0;
  const waitMs = recoveryWaitMs(step.is, idle, subscription.failingSince, tools.now());
  const place = further === undefined ? step.place : undefined;
  const next = { stepId: tools.newId(), ...further, place, sent, idle, isOver: false };
  // First the payload: where we die after it, this one is shown again.
  const payload = { recoveryOf: uuid, stepId: next.stepId };
  await tools.queues.fanOut.send({ payload, group: uuid, delaySeconds: Math.ceil(waitMs / 1000) });
  await tools.ledger.stepped(uuid, recovery.stepId, next, tools.now() + waitMs);
}

async function passOver(recovery: Recovery, subscription: StoredSubscription, tools: RecoverTools): Promise<Step> {
  const { uuid, generation } = subscription;
  const now = tools.now();
  const pass = passOf(recovery);
  const earliest = wantedFrom(subscription, now, tools.settings.ledgerDays) ?? now;
  const from = isoTime(Math.max(Date.parse(pass.from), earliest));
  if (from > pass.to) return { is: 'done', place: recovery.place, sent: 0 };
  // What was looked at last may be too old to be a place by now.
  const after = recovery.place !== undefined && recovery.place.timestamp >= from ? recovery.place : undefined;
  const room = mostAtOnce - (await tools.ledger.countWaiting(uuid, mostAtOnce));
  if (room <= 0) return { is: 'full', place: after, sent: 0 };
  const span = { generation, from, to: pass.to, order: 'oldest first' } as const;
  const places = await tools.ledger.published(span, pageSizeFor(room), after);
  const step = await sendWanting(places, after, room, subscription, tools);
  return step.is === 'done' && places.length === pageSizeFor(room) ? { ...step, is: 'long' } : step;
}

/** Has those of a page delivered that the subscription wants and has not got, as far as there is room; `done` after the last. */
async function sendWanting(
  places: readonly Place[],
  after: Place | undefined,
  room: number,
  subscription: StoredSubscription,
  tools: RecoverTools,
): Promise<Step> {
  let place = after;
  let sent = 0;
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
      if (done === 'unready') tools.onPassedOver(one.messageId, subscription.uuid);
      if (done === 'sent') sent += 1;
    }
    place = one;
  }
  return { is: 'done', place, sent };
}

/** Those of the messages that the subscription wants, has not got, and that are not on their way; with what the ledger knows of them. */
async function wantingOf(
  places: readonly Place[],
  subscription: StoredSubscription,
  { ledger }: RecoverTools,
): Promise<ReadonlyMap<string, LoggedDelivery>> {
  const messages = await ledger.messages(places.map(({ messageId }) => messageId));
  const wanted = [...messages.values()].filter((message) => wantsEvent(subscription, message));
  // A moment old does no harm: what makes a delivery again asks for the row as it was read, and a recorded task stays as it is.
  const known = await ledger.known(subscription, wanted, true);
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
