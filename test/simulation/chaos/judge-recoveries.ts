import { recoveryKey } from '../../../shared/domain/deliveries/task.ts';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { type Evidence, hasFailed, pair, type Violation, violation } from './evidence.ts';
import type { History, Post } from './history.ts';
import { settings } from './world.ts';

/** Returns whether a client's request to redeliver the message overlapped the given period. */
export const wasRedelivered = (
  { clientRedeliveries }: History,
  { uuid, messageId }: Post,
  before: number,
  after = Number.NEGATIVE_INFINITY,
): boolean =>
  clientRedeliveries.some(
    (one) => one.uuid === uuid && one.messageId === messageId && one.at <= before && one.endedAt >= after,
  );

/** Returns whether a recovery requested before the given time may have repeated deliveries to the subscription. */
export const wasRecovered = ({ recoveries }: History, uuid: string, before = Number.POSITIVE_INFINITY): boolean =>
  recoveries.some((one) => one.uuid === uuid && one.at <= before);

const deliveryMs = Number(settings.deliveryDays) * dayMs;
// A message may expire while a recovery waits for its receiver.
const longestMs = 6 * 3_600_000;

/** Checks that a recovery of an active subscription delivers every message in its time range or uses up all retries. */
export function* recoversEveryMessage({
  history,
  states,
  plan,
  postsOf,
  mayBeStuck,
  observed,
}: Evidence): Generator<Violation> {
  const stuck = new Set(
    observed
      .rows()
      .flatMap(({ taskKey, isStuck, messageId }) => (taskKey === recoveryKey && isStuck ? [messageId] : [])),
  );
  for (const { uuid, at, since, until, isAccepted } of history.recoveries) {
    const active = history.activeSince(uuid);
    if (!isAccepted || active === undefined || active.since > at || stuck.has(uuid)) continue;
    const { generation, confirmedAt = Number.POSITIVE_INFINITY } = active.row;
    for (const [messageId, message] of history.messages) {
      const from = Math.max(since, confirmedAt, at - deliveryMs + longestMs) + 2 * plan.skewMs;
      if (message.generation !== generation || message.timestamp < from) continue;
      if (message.timestamp > until - plan.indexLagMs - 2 * plan.skewMs || mayBeStuck(messageId, uuid)) continue;
      if (!history.isSince(uuid, at - plan.skewMs, (row) => wantsEvent(row, message))) continue;
      const state = states.get(pair(messageId, uuid))?.state;
      const posts = postsOf.get(pair(messageId, uuid)) ?? [];
      if (state === 'delivered' || (state === 'failed' && hasFailed(history, uuid, posts))) continue;
      if (posts.some(({ isAccepted }) => isAccepted)) continue;
      yield violation(
        'a recovery delivers every missed message',
        `${messageId} to ${uuid} has the state ${state ?? 'unknown'}`,
      );
    }
  }
}
