import { bucketLaneOf } from '../../domain/deliveries/channels.ts';
import { type ActiveSubscription, bucketOf, planTasks } from '../../domain/deliveries/plan-tasks.ts';
import { sliceOfBucket, slicesOf } from '../../domain/deliveries/slice.ts';
import { bucketKeyRange } from '../../domain/deliveries/task-key.ts';
import { clockMs } from '../../domain/deliveries/times.ts';
import { referredContent } from '../../domain/messages/refer.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { protocols } from '../../model/subscriptions/subscription.ts';
import type { Sending } from '../../storage/queues/queues.ts';
import type { FanOutTools } from './fan-out-tools.ts';

/**
 * Turns these subscriptions into tasks; an audit sends only those that the ledger does not know. Answers how many are
 * open: sent now, left out, or being worked on.
 */
export async function sendTasks(
  payload: FanOutPayload,
  bits: number,
  active: readonly ActiveSubscription[],
  tools: FanOutTools,
): Promise<number> {
  const wanted = wantedOf(payload, active);
  if (wanted.length === 0) return 0;
  const planned = planTasks(wanted, bits);
  const known = payload.isAudit ? await knownTasks(payload, bits, wanted, tools) : { served: new Map(), workedOn: 0 };
  const missing = planned.filter(({ taskKey, subscriptionUuids }) =>
    subscriptionUuids.some((uuid) => !known.served.get(taskKey)?.has(uuid)),
  );
  const content = referredContent(payload.notification);
  const sendings = missing.map(
    (task): Sending<DeliveryTask> => ({
      group: payload.notification.topicUuid,
      payload: { ...task, isSingle: false, attempt: 0, bits, subscriptionUuids: [...task.subscriptionUuids], content },
    }),
  );
  const wantedNow = protocols.filter((protocol) => !payload.leftOut?.includes(protocol));
  const sending = wantedNow.map((protocol) =>
    tools.queues[bucketLaneOf(protocol, bits)].sendMany(sendings.filter((one) => one.payload.protocol === protocol)),
  );
  await Promise.all(sending);
  return missing.length + known.workedOn;
}

// An audit asks for those who were active when the message was published, within the clocks' differences.
const wantedOf = ({ notification, isAudit }: FanOutPayload, all: readonly ActiveSubscription[]) => {
  const active = all.filter((one) => wantsEvent(one, notification));
  if (!isAudit) return active;
  const latest = Date.parse(notification.timestamp) + clockMs;
  return active.filter(({ activeSince }) => activeSince <= latest);
};

/** By task, the subscriptions that have their outcome, and how many tasks are being worked on. */
async function knownTasks(
  payload: FanOutPayload,
  bits: number,
  active: readonly ActiveSubscription[],
  tools: FanOutTools,
) {
  const served = new Map<string, { has(uuid: string): boolean }>();
  let workedOn = 0;
  const first = bucketOf(active[0]?.uuid ?? '0', bits);
  const last = bucketOf(active.at(-1)?.uuid ?? 'f', bits);
  const { messageId } = payload.notification;
  const slices = Array.from({ length: Math.min(slicesOf(bits), last - first + 1) }, (_, index) =>
    sliceOfBucket(first + index, bits),
  );
  const reading = slices.map(async (slice) => {
    for await (const rows of tools.ledger.tasks({ messageId, slice }, bucketKeyRange(bits, first, last))) {
      for (const row of rows) {
        const isWorkedOn = row.state === 'claimed' && row.leaseUntil >= tools.now();
        if (isWorkedOn) workedOn += 1;
        served.set(row.taskKey, isWorkedOn ? { has: () => true } : new Set(Object.keys(row.outcomes)));
      }
    }
  });
  await Promise.all(reading);
  return { served, workedOn };
}
