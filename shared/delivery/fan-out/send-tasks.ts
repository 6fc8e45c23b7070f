import { batchLaneOf } from '../../domain/deliveries/channels.ts';
import { type CarriedNotification, type FanOutPayload, taskContent } from '../../domain/deliveries/message.ts';
import {
  type ActiveSubscription,
  type PlannedTask,
  planTasks,
  rowShardCount,
  rowShardOf,
  shardOf,
} from '../../domain/deliveries/shards.ts';
import { shardKeyRange } from '../../domain/deliveries/task.ts';
import { clockMs } from '../../domain/deliveries/times.ts';
import type { InternalError } from '../../domain/internal-errors.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { SendsTo, Tools } from '../tools.ts';

/**
 * Returns the subscriptions that match the message and were active at publication, with a tolerance for clock
 * differences.
 */
export function recipientsOf(
  message: CarriedNotification,
  active: readonly ActiveSubscription[],
): ActiveSubscription[] {
  const latest = Date.parse(message.timestamp) + clockMs;
  return active.filter((one) => wantsEvent(one, message) && one.activeSince <= latest);
}

/** Returns the tasks in which at least one subscription has no recorded outcome, and the number of leased tasks. */
export async function findOpenTasks(
  messageId: string,
  shardBits: number,
  wanted: readonly ActiveSubscription[],
  tools: Pick<FanOutTools, 'now'> & { readonly deliveries: Pick<FanOutTools['deliveries'], 'listTasks'> },
): Promise<{ readonly missing: readonly PlannedTask[]; readonly workedOn: number }> {
  if (wanted.length === 0) return { missing: [], workedOn: 0 };
  const served = new Map<string, { has(uuid: string): boolean }>();
  let workedOn = 0;
  const first = shardOf(wanted[0]?.uuid ?? '0', shardBits);
  const last = shardOf(wanted.at(-1)?.uuid ?? 'f', shardBits);
  const rowShards = Array.from({ length: Math.min(rowShardCount(shardBits), last - first + 1) }, (_, index) =>
    rowShardOf(first + index, shardBits),
  );
  const reading = rowShards.map(async (rowShard) => {
    for await (const rows of tools.deliveries.listTasks(
      { messageId, rowShard },
      shardKeyRange(shardBits, first, last),
    )) {
      for (const row of rows) {
        const isWorkedOn = row.state === 'leased' && row.leaseUntil >= tools.now();
        if (isWorkedOn) workedOn += 1;
        served.set(row.taskKey, isWorkedOn ? { has: () => true } : new Set(Object.keys(row.outcomes)));
      }
    }
  });
  await Promise.all(reading);
  const missing = planTasks(wanted, shardBits).filter(({ taskKey, subscriptionUuids }) =>
    subscriptionUuids.some((uuid) => !served.get(taskKey)?.has(uuid)),
  );
  return { missing, workedOn };
}

type FanOutUses =
  | ('subscriptions:listActive' | 'deliveries:fanOut' | 'deliveries:publish' | 'messages:readWrite')
  | ('journal:writeMany' | 'queues:fanOut' | SendsTo<'first' | 'mass'>);

export interface FanOutTools extends Tools<FanOutUses, 'deliveryDays' | 'journalDays'> {
  readonly subscriptionsPerTask?: number;
}

export interface FanOutMessageTools extends FanOutTools {
  readonly onError: (fault: InternalError) => void;
}

/**
 * Sends the tasks of the given subscriptions. A reconciliation sends only tasks with missing outcomes. Returns the
 * number of open tasks, including leased tasks and tasks for skipped protocols.
 */
export async function sendTasks(
  payload: FanOutPayload,
  shardBits: number,
  active: readonly ActiveSubscription[],
  tools: FanOutTools,
): Promise<number> {
  const { notification, isReconciliation } = payload;
  const wanted = recipientsOf(notification, active);
  if (wanted.length === 0) return 0;
  const { missing, workedOn } = isReconciliation
    ? await findOpenTasks(notification.messageId, shardBits, wanted, tools)
    : { missing: planTasks(wanted, shardBits), workedOn: 0 };
  const own = { isSingle: false, attempt: 0, shardBits, content: taskContent(notification) };
  const sendings = missing.map((task) => ({ group: notification.topicUuid, payload: { ...task, ...own } }));
  const wantedNow = protocols.filter((protocol) => !payload.skippedProtocols?.includes(protocol));
  const sending = wantedNow.map((protocol) =>
    tools.queues[batchLaneOf(protocol, shardBits)].sendMany(
      sendings.filter((one) => one.payload.protocol === protocol),
    ),
  );
  await Promise.all(sending);
  return missing.length + workedOn;
}
