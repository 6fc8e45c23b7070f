import { recoveryKey } from '../../../shared/domain/deliveries/task-key.ts';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';
import type { History, Post } from './history.ts';
import { type Broken, hasFailed, type Judged, pair } from './judged.ts';

/** The subscriber asked for this message once more, after it was posted: what is delivered may come anew. */
export const wasAskedAgain = ({ again }: History, { uuid, messageId }: Post, before: number): boolean =>
  again.some((one) => one.uuid === uuid && one.messageId === messageId && one.at <= before);

/** Whether a recovery may have made deliveries to a subscription again. */
export const isRecovered = ({ recoveries }: History, uuid: string, before = Number.POSITIVE_INFINITY): boolean =>
  recoveries.some((one) => one.uuid === uuid && one.at <= before);

/** What a recovery covers is delivered to who has stayed active since, or has failed by their policy. */
export function* recovers({ history, standing, plan, postsOf, isResting, observed }: Judged): Generator<Broken> {
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
      const from = Math.max(since, confirmedAt) + 2 * plan.skewMs;
      if (message.generation !== generation || message.timestamp < from) continue;
      if (message.timestamp > until - plan.indexLagMs - 2 * plan.skewMs || isResting(messageId, uuid)) continue;
      if (!history.isSince(uuid, at - plan.skewMs, (row) => wantsEvent(row, message))) continue;
      const state = standing.get(pair(messageId, uuid))?.state;
      const posts = postsOf.get(pair(messageId, uuid)) ?? [];
      if (state === 'delivered' || (state === 'failed' && hasFailed(history, uuid, posts))) continue;
      if (posts.some(({ isAccepted: isTaken }) => isTaken)) continue;
      yield {
        invariant: 'a recovery leaves nothing out',
        what: `${messageId} to ${uuid} stands as ${state ?? 'unknown'}`,
      };
    }
  }
}
