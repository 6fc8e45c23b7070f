import { handler as publishEvent } from '../../functions/topics/publish-event.ts';
import type { TableName } from '../../shared/contract/tables.ts';
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
 * Runs the real delivery functions in this process, with an embedded DynamoDB and SQS. The test controls the sender and
 * the clock, which the queues also use.
 */
export function useDeliveryHarness(
  { subscriptionsPerTask, ...settings }: GivenSettings & { readonly subscriptionsPerTask?: number } = {},
  kept: readonly TableName[] = [],
) {
  const failures: Failure[] = [];
  const harness = useHarness({
    settings,
    tables: ['persons', 'topics', 'subscriptions', 'limits', 'deliveries', 'journal'],
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
  /** Publishes an event and returns the message id. */
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
  return {
    ...harness,
    ...clock,
    ...sending,
    ...working,
    ...createTimeControls(clock, harness, working.work),
    publish,
    /** The deliveries that were reported as permanently failed. */
    failures,
    /** Publishes one event per second and returns the message ids. */
    async publishEach(topicName: string, count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let index = 0; index < count; index++) {
        clock.pass(1000);
        ids.push(await publish(topicName));
      }
      return ids;
    },
    /** Activates a paused subscription. */
    async resume(uuid: string): Promise<void> {
      const { pausedReason: _, failingSince: __, isFailing: ___, ...stored } = await harness.subscription(uuid);
      await harness.put('subscriptions', rowOf({ ...stored, isActive: true, activeSince: clock.now() }));
    },
  };
}

export type DeliveryHarness = ReturnType<typeof useDeliveryHarness>;
