/*
 * Promise: a topic may have any number of subscribers, and each subscriber gets each message once. Fan-out splits the
 * subscribers of a topic into segments, which run in parallel and may crash and run again. The test prints the number
 * of AWS calls per 1,000 subscribers.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FanOutPayload } from '../../shared/domain/deliveries/message.ts';
import type { DeliveryTask } from '../../shared/domain/deliveries/task.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { createMortalProcess } from '../harness/mortal-process.ts';

const harness = useDeliveryHarness({}, ['topics', 'subscriptions']);
const count = 12_000;
const minutes = (many: number) => many * 60_000;
const uuidOf = (index: number) =>
  createHash('sha256')
    .update(`subscriber ${index}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
// If an assertion fails, it should print counts instead of thousands of subscribers.
const countsOf = (uuids: readonly string[]) => ({
  distinct: new Set(uuids).size,
  sent: uuids.length,
  unknown: uuids.filter((uuid) => !uuidSet.has(uuid)).length,
});
const complete = { distinct: count, sent: count, unknown: 0 };
const allUuids = Array.from({ length: count }, (_, index) => uuidOf(index)).toSorted();
const uuidSet = new Set(allUuids);

// Vitest does not print console output during a test.
let figures = '';
afterAll(() => console.info(figures));

describe('fan-out to 12,000 http and email subscribers', () => {
  const calls = new Map<string, number>();

  beforeAll(async () => {
    const topic = await harness.newTopic('large');
    const people = Array.from({ length: count }, (_, index): Partial<StoredSubscription> => {
      const isMail = index % 3 === 0;
      const address = isMail ? `s${index}@example.org` : `http://receiver.example/${index}`;
      return { uuid: uuidOf(index), protocol: isMail ? 'email' : 'http', address };
    });
    await harness.subscribed(topic, ...people);
  });
  beforeEach(() => {
    calls.clear();
    harness.interfere({
      call: ({ command }, go) => {
        calls.set(command, (calls.get(command) ?? 0) + 1);
        return go();
      },
    });
  });

  const tasks = () => [...harness.payloadsIn<DeliveryTask>('http'), ...harness.payloadsIn<DeliveryTask>('email')];
  const receivers = () =>
    tasks()
      .flatMap(({ subscriptionUuids }) => subscriptionUuids)
      .toSorted();

  it('fan-out processes the first page immediately and the other pages in segments, and includes each subscriber once', async () => {
    await harness.publish('large', JSON.stringify({ source: 'x'.repeat(8000) }));
    calls.clear();
    await harness.workOnce('fanOut');
    const segments = harness.payloadsIn<FanOutPayload>('fanOut').map(({ segment }) => segment);
    // A segment contains the key of the long body but not the body.
    for (const { notification } of harness.payloadsIn<FanOutPayload>('fanOut'))
      expect(notification).not.toHaveProperty('bodyBase64');
    expect(segments.length).toBeGreaterThanOrEqual(2);
    expect(segments.every((segment) => segment !== undefined)).toBe(true);
    const first = receivers();
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(count);
    await harness.work('fanOut');
    expect(countsOf(receivers())).toEqual(complete);
    // Each protocol has its own queue. A task is small because it contains the key of the long body but not the body.
    expect(harness.payloadsIn<DeliveryTask>('http').every(({ protocol }) => protocol === 'http')).toBe(true);
    expect(harness.payloadsIn<DeliveryTask>('email').every(({ protocol }) => protocol === 'email')).toBe(true);
    expect(Math.max(...tasks().map(({ subscriptionUuids }) => subscriptionUuids.length))).toBeLessThanOrEqual(30);
    expect(tasks().every(({ content }) => !('bodyBase64' in content))).toBe(true);
    const total = [...calls.values()].reduce((sum, one) => sum + one, 0);
    const perThousand = Math.round((total / count) * 1000 * 10) / 10;
    figures = `fan-out: ${segments.length} segments, ${tasks().length} tasks, ${perThousand} AWS calls per 1,000 subscribers`;
    // Two protocols need two tasks per shard. With a single protocol, half as many calls would be enough.
    expect(perThousand).toBeLessThan(40);
  });

  it('fan-out creates identical tasks if segments crash and run again', async () => {
    await harness.publish('large');
    await harness.workOnce('fanOut');
    // In this test, all segments are in one batch, so the crash interrupts all of them.
    const process = createMortalProcess(60);
    await harness.interfereDuring(process.interference, () => harness.workOnce('fanOut'));
    const before = tasks();
    expect(process.hasStruck()).toBe(true);
    expect(before.length).toBeGreaterThan(50);
    expect(receivers().length).toBeLessThan(count);
    harness.pass(minutes(2));
    await harness.work('fanOut');
    const keyed = new Map(tasks().map((task) => [task.taskKey, task.subscriptionUuids.join()]));
    expect(countsOf([...new Set(receivers())])).toEqual(complete);
    // A repeated task has the same key and the same subscriptions as the original task. The lease therefore ensures
    // that only one of the two tasks is processed.
    for (const { taskKey, subscriptionUuids } of before) expect(keyed.get(taskKey)).toBe(subscriptionUuids.join());
  });

  it('fan-out delivers a message only once to each subscription if segments run twice', async () => {
    const messageId = await harness.publish('large');
    await harness.workOnce('fanOut');
    // To save time, the test runs only one sixteenth of the topic twice.
    const [payload] = harness.payloadsIn<FanOutPayload>('fanOut');
    await harness.purge();
    const { shardBits } = payload?.segment ?? { shardBits: 0 };
    const part = { ...payload, segment: { shardBits, from: 0, to: 2 ** shardBits / 16 } };
    for (let time = 0; time < 2; time += 1) {
      await harness.send('fanOut', part);
      await harness.work('fanOut');
    }
    expect(new Set(receivers()).size).toBeLessThan(receivers().length);
    await harness.work('http', 'email');
    const wanted = allUuids.filter((uuid) => uuid.startsWith('0'));
    expect(harness.accepted(messageId).toSorted()).toEqual(wanted);
    // Each partition key has the rows of 32 shards, and the rows are distributed evenly among the keys.
    const keys = (await harness.rows('deliveries')).flatMap(({ messageShard, outcomes }) =>
      outcomes ? [messageShard] : [],
    );
    const counts = Object.values(Object.groupBy(keys, String)).map((some = []) => some.length);
    expect(counts).toHaveLength(2 ** shardBits / 32);
    expect(Math.max(...counts)).toBeLessThanOrEqual(Math.ceil(keys.length / counts.length) + 1);
  });
});
