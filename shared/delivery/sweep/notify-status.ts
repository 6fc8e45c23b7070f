import { uuidRange, wholeTopic } from '../../domain/deliveries/shards.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { decideStatus, statusEvent, statusTopicOf } from '../../domain/subscriptions/status-event.ts';
import type { StatusNotice, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../domain/topics/topic.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import { publish } from '../publish.ts';
import type { SweepTools } from './resume-row.ts';

async function isWatched({ uuid, generation }: StoredTopic, { subscriptions }: SweepTools): Promise<boolean> {
  const range = uuidRange(wholeTopic(0));
  for await (const page of subscriptions.listActive({ topicUuid: uuid, generation }, range, 1))
    if (page.length > 0) return true;
  return false;
}

/** Returns the status topics of the subscription's owner and of admins, but only topics that have subscribers. */
async function watchedTopics({ owner }: StoredSubscription, tools: SweepTools): Promise<StoredTopic[]> {
  const topics = (owner === '' ? [undefined] : [owner, undefined]).map(statusTopicOf);
  const watched = await Promise.all(topics.map((topic) => isWatched(topic, tools)));
  return topics.filter((_, index) => watched[index]);
}

/** Records the notice, and publishes its event. A repeated call publishes nothing new. */
async function publishNotice(
  subscription: StoredSubscription,
  notice: StatusNotice,
  tools: SweepTools,
): Promise<boolean> {
  const topics = await watchedTopics(subscription, tools);
  if (topics.length === 0 || !(await tools.subscriptions.recordNotice(subscription, notice))) return false;
  const publishing = { ...tools, onPublished: () => {} };
  for (const topic of topics) await publish(topic, statusEvent(subscription, notice, topic), publishing);
  return true;
}

/**
 * Publishes an event if the state of a subscription has changed. Records the notice first, then publishes the event,
 * and then ends the check, so that each step may be repeated.
 */
export async function notifyStatus(row: DueRow, tools: SweepTools): Promise<'notified' | 'postponed' | 'taken'> {
  const { messageId: uuid } = row;
  const now = tools.now();
  const taken = { is: 'postponed', forMs: graceMs, wasPostponed: false } as const;
  if (!(await tools.deliveries.takeDue(row, now, taken))) return 'taken';
  const subscription = await tools.subscriptions.get(uuid, now);
  const { notice, waitUntil } = subscription === undefined ? {} : decideStatus(subscription, now);
  const isNotified = subscription && notice && (await publishNotice(subscription, notice, tools));
  await tools.deliveries.endStatusCheck(uuid, now + graceMs, waitUntil);
  return isNotified ? 'notified' : 'postponed';
}
