import type { Delivery } from '../../../../../shared/domain/deliveries/delivery.ts';
import type { SubscriptionStatus } from '../../../../../shared/domain/subscriptions/show-subscription.ts';
import type { Topic } from '../../../../../shared/domain/topics/topic.ts';
import { chartOf, maxSamples } from '../chart.ts';
import { newestEvents, testEventOf } from '../newest-events.ts';
import type { Attempt, Chart, ClientState, Figures, PublishedEvent, ShownSubscription } from '../state.ts';

/** The API's responses about one subscription. */
export interface Detail {
  readonly status: SubscriptionStatus;
  readonly deliveries: readonly Delivery[];
}

interface OneDelivery {
  readonly status: SubscriptionStatus;
  readonly delivery: Delivery;
}

const maxAttempts = 50;
const newestFirst = (a: { readonly at: string }, b: { readonly at: string }): number => b.at.localeCompare(a.at);

const isDelivered = ({ class: kind }: { readonly class: string }): boolean => kind === 'delivered';

function attemptsOf({ status: { uuid, address, lastTest }, deliveries }: Detail): Attempt[] {
  const subscription = { subscription: uuid, address };
  const test = lastTest && { ...lastTest, ...subscription, ordinal: 1, kind: 'test' as const };
  const others = deliveries.flatMap(({ messageId, type, attempts }) =>
    attempts.map((attempt, index): Attempt => {
      const kind = type === undefined ? 'event' : 'confirmation';
      return { ...attempt, ...subscription, messageId, ordinal: index + 1, kind };
    }),
  );
  return test === undefined ? others : [test, ...others];
}

/** Describes an event, using its deliveries to one or more subscriptions. */
function eventOf(messageId: string, found: readonly OneDelivery[], topicOf: ReadonlyMap<string, Topic>) {
  const [{ status, delivery }] = found as [OneDelivery];
  const attempts = found.flatMap((one) => one.delivery.attempts);
  const topic = topicOf.get(status.topic);
  return {
    ...{ messageId, topicUuid: topic?.uuid ?? '', generation: '', topic: topic?.title ?? status.topic },
    ...{ subject: delivery.subject, publishedAt: delivery.publishedAt },
    delivered: attempts.filter(isDelivered).length,
    failedAttempts: attempts.filter((one) => !isDelivered(one)).length,
  } satisfies PublishedEvent;
}

function chartOfEvents(events: readonly PublishedEvent[], found: readonly OneDelivery[], now: number): Chart {
  const latencies = found.flatMap(({ delivery: { publishedAt, attempts } }) => {
    const last = attempts.find(isDelivered);
    if (last === undefined) return [];
    const at = Date.parse(last.at) + (last.durationMs ?? 0);
    return [{ at, latencyMs: at - Date.parse(publishedAt) }];
  });
  const published = events.slice(0, maxSamples).map(({ publishedAt }) => Date.parse(publishedAt));
  return chartOf(published, latencies.slice(0, maxSamples), now);
}

function figuresOf(subscriptions: readonly ShownSubscription[], details: readonly Detail[]): Figures {
  const countOf = (state: ShownSubscription['state']): number =>
    subscriptions.filter((one) => one.state === state).length;
  return {
    counts: [
      { name: 'Active', count: countOf('active') },
      { name: 'Failing', count: subscriptions.filter(({ reason }) => reason === 'failing').length, isBad: true },
      { name: 'Paused', count: countOf('paused'), isBad: true },
      { name: 'Pending', count: countOf('pending') },
      { name: 'Waiting deliveries', count: details.reduce((sum, { status }) => sum + status.waiting, 0) },
    ],
    note: 'The number of subscriptions in each state, and the number of deliveries that are waiting for an attempt.',
  };
}

/** Returns the events and attempts from the newest deliveries of all subscriptions. `now` is in epoch milliseconds. */
export function describe(
  subscriptions: readonly ShownSubscription[],
  details: readonly Detail[],
  topicOf: ReadonlyMap<string, Topic>,
  now: number,
): Omit<ClientState, 'topics' | 'subscriptions'> {
  const found = details.flatMap(({ status, deliveries }) =>
    deliveries.filter(({ type }) => type === undefined).map((delivery) => ({ status, delivery })),
  );
  const byMessage = Map.groupBy(found, ({ delivery }) => delivery.messageId);
  const published = [...byMessage].map(([messageId, own]) => eventOf(messageId, own, topicOf));
  const tests = details.flatMap(({ status }) => {
    const topic = topicOf.get(status.topic)?.title ?? status.topic;
    return status.lastTest === undefined ? [] : [testEventOf(status.lastTest, status, topic)];
  });
  return {
    figures: figuresOf(subscriptions, details),
    chart: chartOfEvents(published, found, now),
    events: { rows: newestEvents([...published, ...tests]), hasMore: false },
    attempts: details.flatMap(attemptsOf).toSorted(newestFirst).slice(0, maxAttempts),
  };
}
