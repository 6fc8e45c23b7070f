import { randomUUID } from 'node:crypto';
import { handler as publishEvent } from '../../functions/topics/publish-event.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { rowOf } from '../../shared/storage/subscriptions/rows.ts';
import { noon } from './builders.ts';
import { useClock } from './clock.ts';
import { accepts, createFakeSender } from './fake-sender.ts';
import { feed } from './feed.ts';
import { useHarness } from './harness.ts';
import { queueHandlers } from './queue-handlers.ts';
import { createTimeControls } from './time-controls.ts';
import type { GivenSettings } from './variables.ts';

interface Failure {
  readonly messageId: string;
  readonly uuid: string;
}

/**
 * Runs the real delivery functions in this process, with an embedded DynamoDB and SQS. The test controls the sender,
 * and the clock that the functions and queues use.
 */
export function useDeliveryHarness(
  { subscriptionsPerTask, ...settings }: GivenSettings & { readonly subscriptionsPerTask?: number } = {},
  kept: readonly TableName[] = [],
) {
  const failures: Failure[] = [];
  const harness = useHarness({
    settings,
    kept,
    onReset() {
      clock.moveTo(noon);
      sending.answer(accepts);
      sending.posts.length = 0;
      failures.length = 0;
    },
  });
  const clock = useClock();
  const { sender, ...sending } = createFakeSender(harness.interference);
  const onFailed = (messageId: string, uuid: string) => void failures.push({ messageId, uuid });
  const { interference } = harness;
  const working = feed(harness, () =>
    queueHandlers({ settings, subscriptionsPerTask, sender, onFailed, interference }),
  );
  /** Publishes an event and returns its message ID. */
  async function publish(
    topicName: string,
    body = '{"source":"CR"}',
    headers: Record<string, string> = {},
    query = '',
  ): Promise<string> {
    const { status, json } = await harness.call(publishEvent, { path: { uuid: topicName }, body, headers, query });
    if (status !== 200) throw new Error(`publish returned ${status}`);
    return json.messageId;
  }
  /** Publishes an event and processes all visible messages. Returns the message ID of the event. */
  async function publishAndWork(...given: Parameters<typeof publish>): Promise<string> {
    const messageId = await publish(...given);
    await working.work();
    return messageId;
  }
  return {
    ...harness,
    ...clock,
    ...sending,
    ...working,
    ...createTimeControls(clock, harness, working.work),
    publish,
    publishAndWork,
    /** The deliveries that the service has reported as permanently failed. */
    failures,
    /** Publishes one event per second and returns their message IDs. */
    async publishEach(topicName: string, count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let index = 0; index < count; index++) {
        clock.pass(1000);
        ids.push(await publish(topicName));
      }
      return ids;
    },
    /** Stores messages without deliveries, published at intervals of one millisecond until just before noon. */
    async publishedBefore({ generation, name, uuid }: StoredTopic, count: number): Promise<void> {
      const rows = Array.from({ length: count }, (_, index) => {
        const messageId = randomUUID();
        const timestamp = new Date(noon - 1 - index).toISOString();
        return {
          ...{ messageShard: `${messageId}#0`, taskKey: 'message', messageId, publicationId: messageId, shardBits: 4 },
          ...{ generation, timestamp, topicName: name, topicUuid: uuid, expiresAt: noon },
          ...{ contentType: 'text/plain', bodyBase64: '' },
        };
      });
      await harness.write('deliveries', ...rows);
    },
    /** Creates a topic with two subscriptions that were confirmed an hour ago. */
    async aSubscriber(given: Partial<StoredSubscription> = {}) {
      const topic = await harness.newTopic();
      const confirmedAt = noon - 3_600_000;
      const [one, other] = await harness.subscribed(topic, { confirmedAt, ...given }, { confirmedAt });
      return { topic, uuid: one?.uuid ?? '', other: other?.uuid ?? '' };
    },
    /** Activates a paused subscription. */
    async resume(uuid: string): Promise<void> {
      const { pausedReason: _, failingSince: __, isFailing: ___, ...stored } = await harness.subscription(uuid);
      await harness.put('subscriptions', rowOf({ ...stored, isActive: true, activeSince: clock.now() }));
    },
  };
}

export type DeliveryHarness = ReturnType<typeof useDeliveryHarness>;
