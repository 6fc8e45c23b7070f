import { decideStatus, statusTopicOf } from '../../../shared/domain/subscriptions/status-event.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hourMs } from '../../../shared/domain/time.ts';
import { statusTopicUuid } from '../../../shared/domain/topics/topic.ts';
import { type Evidence, excerpt, type Violation, violation } from './evidence.ts';
import type { History, SubscriptionFacts } from './history.ts';

/** Returns the attributes that determine whether a status event is due. */
const stateOf = ({ isActive, pausedReason, failingSince, lastDeliveredAt }: SubscriptionFacts): string =>
  JSON.stringify([isActive, pausedReason, failingSince, lastDeliveredAt]);

/** Returns whether an owner's status events have had an active subscriber since the given time. */
function isWatched(history: History, owner: string, since: number): boolean {
  const generations = [statusTopicOf(owner), statusTopicOf(undefined)].map(({ generation }) => generation);
  return [...history.subscriptions.keys()].some((uuid) => {
    const active = history.activeSince(uuid);
    return active !== undefined && generations.includes(active.row.generation) && active.since <= since;
  });
}

/**
 * Checks that each subscription causes at most one status event per hour, and that no status event is missing at the
 * end of the simulation. Subscriptions to the status topic must not cause status events.
 */
export function* notifiesOwners({ history, plan, isQuiet }: Evidence): Generator<Violation> {
  for (const [uuid, versions] of history.subscriptions) {
    // A subscription that was deleted and created again counts as a new subscription.
    const notices = versions.flatMap(({ row }) =>
      row?.notified ? [{ ...row.notified, createdAt: row.createdAt }] : [],
    );
    const distinct = notices.filter((one, index) => index === 0 || excerpt(one) !== excerpt(notices[index - 1]));
    for (const [index, { at, createdAt }] of distinct.entries()) {
      const next = distinct[index + 1];
      if (next?.createdAt === createdAt && next.at - at < hourMs - 2 * plan.skewMs)
        yield violation('a subscription causes at most one event per hour', `${uuid} again after ${next.at - at} ms`);
    }
    const row = versions.at(-1)?.row;
    if (row === undefined || !isQuiet) continue;
    if (row.topicUuid === statusTopicUuid) {
      if (distinct.length > 0) yield violation('the status topic causes no events about itself', uuid);
      continue;
    }
    const first = versions.findLastIndex(({ row: one }) => one === undefined || stateOf(one) !== stateOf(row)) + 1;
    const since = Math.min(versions[first]?.at ?? 0, row.failingSince ?? Number.POSITIVE_INFINITY);
    if (!isWatched(history, row.owner, since - plan.skewMs)) continue;
    // At the end of the simulation, every due status event must have been published.
    const { notice, waitUntil } = decideStatus(row as unknown as StoredSubscription, Number.MAX_SAFE_INTEGER);
    if (waitUntil !== undefined || (notice !== undefined && excerpt(notice) !== excerpt(row.notified)))
      yield violation('every state causes an event', `${uuid}: ${excerpt(row.notified)} instead of ${excerpt(notice)}`);
  }
}
