import type { PublishedEvent, ShownSubscription } from './state.ts';

export const maxEvents = 20;

/** Returns the events that the page shows, newest first. */
export const newestEvents = (events: readonly PublishedEvent[]): PublishedEvent[] =>
  events.toSorted((a, b) => b.publishedAt.localeCompare(a.publishedAt)).slice(0, maxEvents);

/** Describes a test event, using its only attempt. */
export function testEventOf(
  { messageId, at: publishedAt, class: kind }: { messageId: string; at: string; class: string },
  { uuid, address }: Pick<ShownSubscription, 'uuid' | 'address'>,
  topic: string,
): PublishedEvent {
  const [delivered, failedAttempts] = kind === 'delivered' ? [1, 0] : [0, 1];
  const event = { messageId, topicUuid: '', generation: '', topic, subject: 'test', publishedAt };
  return { ...event, delivered, failedAttempts, testOf: { uuid, address } };
}
