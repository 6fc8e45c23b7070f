import { type ActiveSubscription, bucketOf, uuidRange } from '../../domain/deliveries/plan-tasks.ts';
import type { FanOutPayload, Segment } from '../../model/deliveries/fan-out-payload.ts';
import type { FanOutTools } from './fan-out-tools.ts';
import { sendTasks } from './send-tasks.ts';

/**
 * Fans a segment out, a page of subscriptions at a time. The last bucket of a page waits for the next page, so that no
 * task is cut in two. Run again, after a crash say, it makes the same tasks. Answers how many are open.
 */
export async function fanOutSegment(payload: FanOutPayload, segment: Segment, tools: FanOutTools): Promise<number> {
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
