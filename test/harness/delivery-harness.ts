import { handler as publishEvent } from '../../functions/topics/publish-event.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import { noon } from './builders.ts';
import { useClock } from './clock.ts';
import { accepts, answeringSender } from './fake-sender.ts';
import { feed } from './feed.ts';
import { useHarness } from './harness.ts';
import { queueHandlers } from './queue-handlers.ts';
import { livingBy } from './time-controls.ts';
import type { GivenSettings } from './variables.ts';

interface Failure {
  readonly messageId: string;
  readonly uuid: string;
}

/**
 * The delivery side of the service in this process: its own functions over an embedded DynamoDB and SQS, fed as Lambda
 * feeds them. Only the clock is moved by the test (the queues' too), and the sender is the test's.
 */
export function useDeliveryHarness(settings: GivenSettings = {}, kept: readonly TableName[] = []) {
  const failures: Failure[] = [];
  const harness = useHarness({
    settings,
    tables: ['topics', 'subscriptions', 'limits', 'deliveries', 'journal'],
    kept,
    onReset() {
      clock.moveTo(noon);
      sending.answer(accepts);
      sending.posts.length = 0;
      failures.length = 0;
    },
  });
  const clock = useClock();
  const { sender, ...sending } = answeringSender(harness.interference);
  const onFailed = (messageId: string, uuid: string) => void failures.push({ messageId, uuid });
  const { interference } = harness;
  const working = feed(harness, () => queueHandlers({ settings, sender, onFailed, interference }));
  return {
    ...harness,
    ...clock,
    ...sending,
    ...working,
    ...livingBy(clock, harness, working.work),
    /** What was reported as failed for good. */
    failures,
    /** Publishes; answers the message's id. */
    async publish(
      topicName: string,
      body = '{"source":"CR"}',
      headers: Record<string, string> = {},
      query = '',
    ): Promise<string> {
      const { status, json } = await harness.call(publishEvent, { path: { uuid: topicName }, body, headers, query });
      if (status !== 200) throw new Error(`publish answered ${status}`);
      return json.messageId;
    },
  };
}

export type DeliveryHarness = ReturnType<typeof useDeliveryHarness>;
