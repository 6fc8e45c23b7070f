import { beforeEach, expect, it, vi } from 'vitest';
import { handler as removeSubscriptions } from '../../../functions/topics/remove-subscriptions.ts';
import type { CleanUpPayload } from '../../../shared/model/topics/clean-up-payload.ts';
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

/** Runs the clean-up until it asks for no more; each run has the time that `leftMs` says. Answers how many runs it took. */
async function cleanUp(leftMs: () => number, onRun = () => {}): Promise<number> {
  let payload: CleanUpPayload | undefined = { topicUuid: topic.uuid, before: 'b' };
  for (let runs = 0; ; runs += 1) {
    if (payload === undefined) return runs;
    if (runs > 20) throw new Error('it does not end');
    onRun();
    const timed = { ...context, getRemainingTimeInMillis: leftMs };
    expect(await removeSubscriptions(sqsEvent(payload), timed)).toEqual({ batchItemFailures: [] });
    [payload] = harness.payloadsIn<CleanUpPayload>('cleanUp');
    await harness.purge('cleanUp');
  }
}

it('what a run has no time for goes on in a run of its own, until nothing is left', async () => {
  await subscribe();
  // Each run has time for no more than what it begins with.
  expect(await cleanUp(() => 9_000)).toBe(7);
  expect(await harness.rows('subscriptions')).toEqual([]);
});

it('goes on where it was, past a generation that stays', async () => {
  await harness.write('topics', topic);
  await subscribe();
  // The deletion has failed, so that all of them stay: it is over all the same.
  expect(await cleanUp(() => 9_000)).toBe(7);
  expect(await harness.rows('subscriptions')).toHaveLength(many);
});

it('waits while DynamoDB throttles, and leaves the rest to another run instead of failing', async () => {
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
