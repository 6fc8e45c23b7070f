import type { ReferredNotification } from '../../domain/deliveries/message.ts';
import { type ActiveSubscription, bucketOf, type PlannedTask, planTasks } from '../../domain/deliveries/plan-tasks.ts';
import { sliceOfBucket, slicesOf } from '../../domain/deliveries/slice.ts';
import { bucketKeyRange } from '../../domain/deliveries/task-key.ts';
import { clockMs } from '../../domain/deliveries/times.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { FanOutTools } from './fan-out-tools.ts';

/**
 * Those of a topic's active subscriptions that a message is for: who was active when it was published, within the clocks'
 * differences, and wants it. Fan-out may come minutes later.
 */
export function dueToHave(message: ReferredNotification, active: readonly ActiveSubscription[]): ActiveSubscription[] {
  const latest = Date.parse(message.timestamp) + clockMs;
  return active.filter((one) => wantsEvent(one, message) && one.activeSince <= latest);
}

/** The tasks of these subscriptions that the ledger does not know with each of its own, and how many are being worked on. */
export async function openTasks(
  messageId: string,
  bits: number,
  wanted: readonly ActiveSubscription[],
  tools: Pick<FanOutTools, 'now'> & { readonly ledger: Pick<FanOutTools['ledger'], 'tasks'> },
): Promise<{ readonly missing: readonly PlannedTask[]; readonly workedOn: number }> {
  if (wanted.length === 0) return { missing: [], workedOn: 0 };
  const served = new Map<string, { has(uuid: string): boolean }>();
  let workedOn = 0;
  const first = bucketOf(wanted[0]?.uuid ?? '0', bits);
  const last = bucketOf(wanted.at(-1)?.uuid ?? 'f', bits);
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
  const missing = planTasks(wanted, bits).filter(({ taskKey, subscriptionUuids }) =>
    subscriptionUuids.some((uuid) => !served.get(taskKey)?.has(uuid)),
  );
  return { missing, workedOn };
}
