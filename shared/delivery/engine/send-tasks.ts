import { bucketLaneOf } from '../../domain/deliveries/channels.ts';
import { type ActiveSubscription, planTasks } from '../../domain/deliveries/plan-tasks.ts';
import { referredContent } from '../../domain/messages/refer.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Sending } from '../../storage/queues/store.ts';
import type { FanOutTools } from './fan-out-tools.ts';
import { dueToHave, openTasks } from './open-tasks.ts';

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
  const { notification, isAudit } = payload;
  const wanted = dueToHave(notification, active);
  if (wanted.length === 0) return 0;
  const { missing, workedOn } = isAudit
    ? await openTasks(notification.messageId, bits, wanted, tools)
    : { missing: planTasks(wanted, bits), workedOn: 0 };
  const content = referredContent(notification);
  const sendings = missing.map(
    (task): Sending<DeliveryTask> => ({
      group: notification.topicUuid,
      payload: { ...task, isSingle: false, attempt: 0, bits, subscriptionUuids: [...task.subscriptionUuids], content },
    }),
  );
  const wantedNow = protocols.filter((protocol) => !payload.leftOut?.includes(protocol));
  const sending = wantedNow.map((protocol) =>
    tools.queues[bucketLaneOf(protocol, bits)].sendMany(sendings.filter((one) => one.payload.protocol === protocol)),
  );
  await Promise.all(sending);
  return missing.length + workedOn;
}
