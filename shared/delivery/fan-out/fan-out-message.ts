import type { publishEvent } from '../../contract/endpoints/topics-endpoints.ts';
import {
  type CarriedNotification,
  type FanOutPayload,
  type Segment,
  withoutStoredBody,
} from '../../domain/deliveries/message.ts';
import {
  type ActiveSubscription,
  estimateCount,
  segmentsFrom,
  shardBitsFor,
  shardOf,
  subscriptionsPerTask,
  uuidRange,
  wholeTopic,
} from '../../domain/deliveries/shards.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { lateAt } from '../../domain/journal/exported-hours.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import { eventTypeOf, uinsOfEvent } from '../../domain/topics/check-event.ts';
import { createMessage } from '../publish.ts';
import { type FanOutMessageTools, type FanOutTools, sendTasks } from './send-tasks.ts';

const operation: (typeof publishEvent)['operation'] = 'publishEvent';

/**
 * Writes one journal row for each person in an OSIA event. A call that is repeated within an hour writes the same rows.
 * A later call writes to the current hour, because the original hour may already have been exported. If the body is
 * lost or names no person, the function writes one row without a person.
 */
export async function journalEvent(
  notification: CarriedNotification,
  tools: Pick<FanOutMessageTools, 'journal' | 'messages' | 'settings' | 'now' | 'onError'>,
): Promise<void> {
  const { journal, messages, settings, now, onError } = tools;
  const { messageId, subject, topicName, bodyKey, publisher = '', timestamp } = notification;
  const event = eventTypeOf(subject, topicName);
  if (event === undefined) return;
  const bodyBase64 = notification.bodyBase64 ?? (bodyKey && (await messages.getBody(bodyKey)));
  if (bodyBase64 === undefined) onError(new InternalError('missingBody', { messageId }));
  const uins = bodyBase64 === undefined ? [] : uinsOfEvent(event, Buffer.from(bodyBase64, 'base64').toString());
  const told = { operation, requestId: messageId, caller: publisher, event, topic: topicName };
  // A row without a person has a different id, so that it cannot overwrite the row of a person.
  const isBare = uins.length === 0;
  const id = isBare ? `${messageId}#unread` : messageId;
  const rows = isBare ? [told] : uins.map((uin) => ({ ...told, uin }));
  const at = Date.parse(timestamp);
  const when = { at, lateAt: lateAt(at, now()), days: settings.journalDays };
  await journal.putMany({ id, rows, ...when }).catch((error: unknown) => {
    throw new InternalError('eventNotJournaled', { messageId }, error);
  });
}

/**
 * Fans out a segment, one page of subscriptions at a time. The last shard of a page is held back until the next page is
 * read, so that no task is split. A repeated run creates the same tasks. Returns the number of open tasks.
 */
export async function fanOutSegment(payload: FanOutPayload, segment: Segment, tools: FanOutTools): Promise<number> {
  let held: ActiveSubscription[] = [];
  let open = 0;
  for await (const page of tools.subscriptions.listActive(payload.notification, uuidRange(segment))) {
    const all = [...held, ...page];
    const lastShard = shardOf(all.at(-1)?.uuid ?? '0', segment.shardBits);
    const cut = all.findIndex(({ uuid }) => shardOf(uuid, segment.shardBits) === lastShard);
    held = cut < 0 ? [] : all.slice(cut);
    if (cut > 0) open += await sendTasks(payload, segment.shardBits, all.slice(0, cut), tools);
  }
  if (held.length > 0) open += await sendTasks(payload, segment.shardBits, held, tools);
  return open;
}

// The approximate number of subscriptions in a segment. One run handles such a segment in one or two seconds.
const segmentSubscriptions = 5000;

async function firstPage(payload: FanOutPayload, tools: FanOutTools) {
  const pages = tools.subscriptions.listActive(payload.notification, uuidRange(wholeTopic(0)));
  const first = await pages.next();
  const active: ActiveSubscription[] = first.done ? [] : first.value;
  const second = first.done ? first : await pages.next();
  const isWhole = second.done || second.value.length === 0;
  return { active, isWhole, count: isWhole ? active.length : estimateCount(active.length, active.at(-1)?.uuid ?? 'f') };
}

// The task size depends on the number of matching subscriptions, and the segment size on the number of all
// subscriptions.
const chooseShardBits = (count: number, wanting: number, perTask: number): number =>
  count === 0 ? 0 : Math.max(shardBitsFor(count * wanting, perTask), shardBitsFor(count, segmentSubscriptions));

/**
 * Sets the number of shards, once per message. Returns undefined if the message's row has expired or belongs to another
 * publication.
 */
async function fixShards(payload: FanOutPayload, shardBits: number, tools: FanOutTools): Promise<number | undefined> {
  const { publicationId, notification, isReconciliation } = payload;
  const { messageId, bodyBase64 } = notification;
  let bitsInForce = await tools.deliveries.fixShards(messageId, publicationId, shardBits);
  // If a reconciliation finds no row, the message has expired and does not need a new row.
  if (bitsInForce === 'absent' && !isReconciliation && bodyBase64 !== undefined) {
    await createMessage(payload, undefined, tools);
    bitsInForce = await tools.deliveries.fixShards(messageId, publicationId, shardBits);
  }
  return typeof bitsInForce === 'number' ? bitsInForce : undefined;
}

/**
 * Fans out a message: the first page of subscriptions immediately, the rest in parallel segments. A reconciliation
 * handles its segments one after another and completes the message if no task is open.
 */
export async function fanOutMessage(payload: FanOutPayload, tools: FanOutMessageTools): Promise<void> {
  // An event is journaled before any of its deliveries is sent. If the number of shards of a message is set, its
  // journal rows already exist, so a reconciliation does not write them again.
  const isJournaled = payload.isReconciliation && !payload.isFirstFanOut;
  const [{ active, isWhole, count }] = await Promise.all([
    firstPage(payload, tools),
    isJournaled || journalEvent(payload.notification, tools),
  ]);
  const wanting = active.filter((one) => wantsEvent(one, payload.notification)).length;
  const perTask = tools.subscriptionsPerTask ?? subscriptionsPerTask;
  const shardBits = await fixShards(payload, chooseShardBits(count, wanting / active.length, perTask), tools);
  if (shardBits === undefined) return;
  const { messageId, topicUuid } = payload.notification;
  if (isWhole) {
    const open = active.length === 0 ? 0 : await sendTasks(payload, shardBits, active, tools);
    if (payload.isReconciliation && open === 0) await tools.deliveries.completeMessage(messageId);
    return;
  }
  const perSegment = Math.max(1, Math.floor((segmentSubscriptions * 2 ** shardBits) / count));
  if (payload.isReconciliation) {
    const [first] = segmentsFrom(shardBits, 0, perSegment);
    if (first) await tools.queues.fanOut.sendMany([{ group: topicUuid, payload: { ...payload, segment: first } }]);
    return;
  }
  // The last shard of the page may continue in the next page.
  const from = shardOf(active.at(-1)?.uuid ?? '0', shardBits);
  const segments = segmentsFrom(shardBits, from, perSegment);
  const part = { ...payload, notification: withoutStoredBody(payload.notification) };
  await tools.queues.fanOut.sendMany(segments.map((segment) => ({ group: topicUuid, payload: { ...part, segment } })));
  const whole = active.filter(({ uuid }) => shardOf(uuid, shardBits) < from);
  if (whole.length > 0) await sendTasks(payload, shardBits, whole, tools);
}

/**
 * Fans out a segment. A reconciliation passes the number of open tasks from segment to segment. The last segment
 * completes the message if no task is open. If the queue loses the payload, the sweeper starts another reconciliation.
 */
export async function fanOutNextSegment(payload: FanOutPayload, segment: Segment, tools: FanOutTools): Promise<void> {
  const open = await fanOutSegment(payload, segment, tools);
  if (!payload.isReconciliation) return;
  const openTasksFound = (payload.openTasksFound ?? 0) + open;
  const { messageId, topicUuid } = payload.notification;
  // Without this check, every duplicate of a payload would repeat all later segments.
  if (!(await tools.deliveries.passSegment(messageId, segment.to))) return;
  const [next] = segmentsFrom(segment.shardBits, segment.to, segment.to - segment.from);
  if (next)
    await tools.queues.fanOut.sendMany([{ group: topicUuid, payload: { ...payload, segment: next, openTasksFound } }]);
  else if (openTasksFound === 0) await tools.deliveries.completeMessage(messageId);
}
