import { beforeEach, expect, it, vi } from 'vitest';
import { handler as removeSubscriptions } from '../../../functions/topics/remove-subscriptions.ts';
import type { CleanUpPayload } from '../../../shared/domain/topics/topic.ts';
import { aTopic } from '../../harness/builders.ts';
import { useHarness } from '../../harness/harness.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';

const harness = useHarness({ tables: ['topics', 'subscriptions'] });
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
});

const topic = aTopic({ name: 'large', generation: 'a' });
const many = 260;
const subscribe = () => harness.subscribed(topic, ...Array.from({ length: many }, () => ({})));

/** Repeats the clean-up until it requests no further run. Returns the number of runs. `leftMs` returns the time left. */
async function cleanUp(leftMs: () => number, onRun = () => {}): Promise<number> {
  let payload: CleanUpPayload | undefined = { topicUuid: topic.uuid, before: 'b' };
  for (let runs = 0; ; runs += 1) {
    if (payload === undefined) return runs;
    if (runs > 20) throw new Error('the loop does not end');
    onRun();
    const timed = { ...context, getRemainingTimeInMillis: leftMs };
    expect(await removeSubscriptions(sqsEvent(payload), timed)).toEqual({ batchItemFailures: [] });
    [payload] = harness.payloadsIn<CleanUpPayload>('cleanUp');
    await harness.purge('cleanUp');
  }
}

it('the clean-up continues in further runs until no subscriptions are left', async () => {
  await subscribe();
  // Each run has time for only one page.
  expect(await cleanUp(() => 9_000)).toBe(7);
  expect(await harness.rows('subscriptions')).toEqual([]);
});

it('the clean-up ends even if it has to keep all subscriptions', async () => {
  await harness.write('topics', topic);
  await subscribe();
  // Deleting the topic failed, so all subscriptions are kept, but the clean-up still ends.
  expect(await cleanUp(() => 9_000)).toBe(7);
  expect(await harness.rows('subscriptions')).toHaveLength(many);
});

it('the clean-up waits while DynamoDB throttles requests, and leaves the remaining subscriptions to another run', async () => {
  await subscribe();
  let [leftMs, refused] = [30_000, 0];
  harness.interfere({
    wire: ({ command }, go) => {
      if (command !== 'DeleteItem' || refused > 600) return go();
      refused += 1;
      leftMs -= 200;
      return Promise.reject(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }));
    },
  });
  const runs = await cleanUp(
    () => leftMs,
    () => {
      leftMs = 30_000;
    },
  );
  expect(runs).toBeGreaterThan(1);
  expect(await harness.rows('subscriptions')).toEqual([]);
  expect(harness.bodiesIn('cleanUpDeadLetters')).toEqual([]);
  expect(harness.lines.error).toEqual([]);
});
