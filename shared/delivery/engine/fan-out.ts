import {
  type ActiveSubscription,
  bucketBits,
  bucketOf,
  estimateCount,
  segmentsFrom,
  uuidRange,
  wholeTopic,
} from '../../domain/deliveries/plan-tasks.ts';
import { ledgerExpiry } from '../../domain/deliveries/times.ts';
import { refer } from '../../domain/messages/refer.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { FanOutPayload, Segment } from '../../model/deliveries/fan-out-payload.ts';
import { noteEvent } from '../fan-out/journal-event.ts';
import { fanOutSegment } from './fan-out-segment.ts';
import type { FanOutTools, FanOutWholeTools } from './fan-out-tools.ts';
import { sendTasks } from './send-tasks.ts';

// About how many subscriptions one run of the function serves in a second or two.
const segmentSubscriptions = 5000;

/** The first page of a topic's subscriptions, whether it is all, and how many there are about. */
async function firstPage(payload: FanOutPayload, tools: FanOutTools) {
  const pages = tools.subscriptions.active(payload.notification, uuidRange(wholeTopic(0)));
  const first = await pages.next();
  const active: ActiveSubscription[] = first.done ? [] : first.value;
  const second = first.done ? first : await pages.next();
  const isWhole = second.done || second.value.length === 0;
  return { active, isWhole, count: isWhole ? active.length : estimateCount(active.length, active.at(-1)?.uuid ?? 'f') };
}

// A task has as many subscriptions that want the message as ever; a segment has no more to read than one run can.
const bitsFor = (count: number, wanting: number, perTask: number): number =>
  count === 0 ? 0 : Math.max(bucketBits(count * wanting, perTask), bucketBits(count, segmentSubscriptions));

/** Decides how the tasks are partitioned, once for the message; undefined when another publication under its key has it. */
async function partitionOnce(
  { publicationId, notification, isAudit }: FanOutPayload,
  bits: number,
  tools: FanOutTools,
): Promise<number | undefined> {
  const { messageId, bodyBase64, bodyKey } = notification;
  let bitsInForce = await tools.ledger.partition(messageId, publicationId, bits);
  // An audit finds no row only where the ledger has expired it: it is not opened again.
  if (bitsInForce === 'absent' && !isAudit && bodyBase64 !== undefined) {
    const now = tools.now();
    const expiresAt = ledgerExpiry(now, tools.settings.ledgerDays);
    if (bodyKey !== undefined) await tools.messages.putBody(bodyKey, bodyBase64);
    await tools.ledger.open(refer(notification), publicationId, now, expiresAt);
    bitsInForce = await tools.ledger.partition(messageId, publicationId, bits);
  }
  return typeof bitsInForce === 'number' ? bitsInForce : undefined;
}

/**
 * Fans a publication out: the first page of subscriptions at once, the others in segments of the uuids, each a payload of its
 * own, in parallel; an audit in segments one after the other. One that finds nothing missing settles the message.
 */
export async function fanOutWhole(payload: FanOutPayload, tools: FanOutWholeTools): Promise<void> {
  // Nobody waits for the journal: where it fails, the payload comes again, and the tasks that were sent are known.
  if (!(await sendOut(payload, tools))) return;
  // What was fanned out before is noted, or its payload comes again until it is.
  if (!payload.isAudit || payload.isUnbegun) await noteEvent(payload.notification, tools);
}

/** Answers whether the publication is the one under its key. */
async function sendOut(payload: FanOutPayload, tools: FanOutTools): Promise<boolean> {
  const { active, isWhole, count } = await firstPage(payload, tools);
  const wanting = active.filter((one) => wantsEvent(one, payload.notification)).length;
  const perTask = tools.settings.subscriptionsPerTask;
  const bits = await partitionOnce(payload, bitsFor(count, wanting / active.length, perTask), tools);
  if (bits === undefined) return false;
  const { messageId, topicUuid } = payload.notification;
  if (isWhole) {
    const open = active.length === 0 ? 0 : await sendTasks(payload, bits, active, tools);
    if (payload.isAudit && open === 0) await tools.ledger.settle(messageId);
    return true;
  }
  const perSegment = Math.max(1, Math.floor((segmentSubscriptions * 2 ** bits) / count));
  if (payload.isAudit) {
    const [first] = segmentsFrom(bits, 0, perSegment);
    if (first) await tools.queues.fanOut.sendMany([{ group: topicUuid, payload: { ...payload, segment: first } }]);
    return true;
  }
  // The page's last bucket may go on in the next page.
  const from = bucketOf(active.at(-1)?.uuid ?? '0', bits);
  const segments = segmentsFrom(bits, from, perSegment);
  const part = { ...payload, notification: refer(payload.notification) };
  await tools.queues.fanOut.sendMany(segments.map((segment) => ({ group: topicUuid, payload: { ...part, segment } })));
  const whole = active.filter(({ uuid }) => bucketOf(uuid, bits) < from);
  if (whole.length > 0) await sendTasks(payload, bits, whole, tools);
  return true;
}

/**
 * Fans a segment out. An audit then goes on to the next one, so that the last knows whether any task was open: only
 * then is the message settled. Where the queue loses the audit on its way, the message stays due and is audited anew.
 */
export async function fanOutPart(payload: FanOutPayload, segment: Segment, tools: FanOutTools): Promise<void> {
  const open = await fanOutSegment(payload, segment, tools);
  if (!payload.isAudit) return;
  const foundOpen = (payload.foundOpen ?? 0) + open;
  const { messageId, topicUuid } = payload.notification;
  const [next] = segmentsFrom(segment.bits, segment.to, segment.to - segment.from);
  if (next)
    await tools.queues.fanOut.sendMany([{ group: topicUuid, payload: { ...payload, segment: next, foundOpen } }]);
  else if (foundOpen === 0) await tools.ledger.settle(messageId);
}
