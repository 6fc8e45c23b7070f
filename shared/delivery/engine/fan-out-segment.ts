import {
  type ActiveSubscription,
  bucketOf,
  planTasks,
  taskKeyOf,
  uuidRange,
} from '../../domain/deliveries/plan-tasks.ts';
import type { Content, ReferredNotification } from '../../model/deliveries/message.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { FanOutPayload, Segment } from '../../model/deliveries/fan-out-payload.ts';
import { type Protocol, protocols } from '../../model/subscriptions/subscription.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { Sending } from '../../storage/queues/queues.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';

interface Queue<Payload> {
  sendMany(sendings: readonly Sending<Payload>[]): Promise<void>;
}

/** What fan-out needs: the stores' methods, the queues, a clock. */
export interface FanOut {
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.fanOut>;
  readonly ledger: ReturnType<typeof ledger.permissions.fanOut> & ReturnType<typeof ledger.permissions.open>;
  readonly fanOut: Queue<FanOutPayload>;
  readonly http: Queue<DeliveryTask>;
  readonly email: Queue<DeliveryTask>;
  readonly now: () => number;
  readonly settings: { readonly subscriptionsPerTask: number; readonly ledgerDays: number };
}

// A longer body is read from the ledger: what goes through the queues names the message only.
const inlineBytes = 4096;

/** The message as the queues carry it once the ledger has it. */
export function refer(notification: ReferredNotification): ReferredNotification {
  const isLong = Buffer.byteLength(notification.bodyBase64 ?? '', 'base64') > inlineBytes;
  return isLong ? { ...notification, bodyBase64: undefined } : notification;
}

/** The message as its tasks carry it. */
export const contentOf = (notification: ReferredNotification): Content => ({
  type: 'Notification',
  ...refer(notification),
});

/**
 * Turns these subscriptions into tasks; an audit sends only those that the ledger does not know. Answers how many are
 * open: sent now, or being worked on.
 */
export async function sendTasks(
  payload: FanOutPayload,
  bits: number,
  active: readonly ActiveSubscription[],
  tools: FanOut,
): Promise<number> {
  const wanted = forAudit(payload, active);
  const planned = planTasks(wanted, bits);
  const known = payload.isAudit ? await knownTasks(payload, bits, wanted, tools) : { served: new Map(), workedOn: 0 };
  const missing = planned.filter(({ taskKey, subscriptionUuids }) =>
    subscriptionUuids.some((uuid) => !known.served.get(taskKey)?.has(uuid)),
  );
  const content = contentOf(payload.notification);
  const sendings = missing.map(
    (task): Sending<DeliveryTask> => ({
      group: payload.notification.topicUuid,
      payload: { ...task, isSingle: false, attempt: 0, subscriptionUuids: [...task.subscriptionUuids], content },
    }),
  );
  const of = (protocol: Protocol) => sendings.filter(({ payload: task }) => task.protocol === protocol);
  await Promise.all([tools.http.sendMany(of('http')), tools.email.sendMany(of('email'))]);
  return missing.length + known.workedOn;
}

// An audit asks for those who were active when the message was published, within the clocks' differences.
const clockMs = 5000;

const forAudit = ({ notification, isAudit }: FanOutPayload, active: readonly ActiveSubscription[]) => {
  if (!isAudit) return active;
  const latest = Date.parse(notification.timestamp) + clockMs;
  return active.filter(({ activeSince }) => activeSince <= latest);
};

/** By task, the subscriptions that have their outcome, and how many tasks are being worked on. */
async function knownTasks(payload: FanOutPayload, bits: number, active: readonly ActiveSubscription[], tools: FanOut) {
  const served = new Map<string, { has(uuid: string): boolean }>();
  let workedOn = 0;
  const first = bucketOf(active[0]?.uuid ?? '0', bits);
  const last = bucketOf(active.at(-1)?.uuid ?? 'f', bits);
  for (const protocol of protocols) {
    const range = [taskKeyOf(protocol, bits, first), taskKeyOf(protocol, bits, last)] as const;
    for await (const rows of tools.ledger.tasks(payload.notification.messageId, ...range)) {
      for (const row of rows) {
        const isWorkedOn = row.state === 'claimed' && row.leaseUntil >= tools.now();
        if (isWorkedOn) workedOn += 1;
        served.set(row.taskKey, isWorkedOn ? { has: () => true } : new Set(Object.keys(row.outcomes)));
      }
    }
  }
  return { served, workedOn };
}

/**
 * Fans a segment out, a page of subscriptions at a time. The last bucket of a page waits for the next page, so that no
 * task is cut in two. Run again, after a crash say, it makes the same tasks. Answers how many are open.
 */
export async function fanOutSegment(payload: FanOutPayload, segment: Segment, tools: FanOut): Promise<number> {
  let held: ActiveSubscription[] = [];
  let open = 0;
  for await (const page of tools.subscriptions.active(payload.notification, uuidRange(segment))) {
    const all = [...held, ...page];
    const lastBucket = bucketOf(all.at(-1)?.uuid ?? '0', segment.bits);
    const cut = all.findIndex(({ uuid }) => bucketOf(uuid, segment.bits) === lastBucket);
    held = cut < 0 ? [] : all.slice(cut);
    if (cut > 0) open += await sendTasks(payload, segment.bits, all.slice(0, cut), tools);
  }
  if (held.length > 0) open += await sendTasks(payload, segment.bits, held, tools);
  return open;
}
