/*
 * Promise: a failing receiver gets few requests, regardless of its policy and of how many messages are waiting. The
 * service keeps trying to deliver the five oldest messages, but less often the longer the receiver fails. The remaining
 * messages are parked without using up an attempt. After the receiver recovers, each message arrives soon, and only
 * once.
 */
import { describe, expect, it } from 'vitest';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import type { ChooseOutcome } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness({ deliveryDays: '1' });
const seconds = (count: number) => count * 1000;
const hours = (count: number) => seconds(3600 * count);

/** Simulates a receiver that is down until the given time, and counts its requests. */
function downUntil(end: number) {
  const seen = { atOnce: 0, mostAtOnce: 0, refused: [] as number[] };
  const answering: ChooseOutcome = async () => {
    seen.atOnce += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    seen.atOnce -= 1;
    if (harness.now() >= end) return { class: 'delivered' };
    seen.refused.push(harness.now());
    return { class: 'http', status: 500 };
  };
  harness.answer(answering);
  return seen;
}

/**
 * Publishes messages to one subscription whose receiver is down. The first message fails before the test publishes any
 * other message.
 */
async function publishMany(policy: { countdownSeconds: number; maxRetries: number }, count: number, downMs: number) {
  const topic = await harness.newTopic();
  const [person] = await harness.subscribed(topic, policy);
  const start = harness.now();
  const seen = downUntil(start + downMs);
  const ids = [await harness.publish(topic.name)];
  await harness.work('fanOut', 'http');
  while (ids.length < count) {
    harness.moveTo(harness.now() + 1);
    ids.push(await harness.publish(topic.name));
  }
  await harness.live({ until: start + downMs, mostEvents: 4000 });
  return { seen, ids, person, start };
}

// The messages of a queue batch may be sent at the same time, because the rows of older messages may not exist yet.
const queueBatch = 10;
const minute = seconds(60);
const tenMinutes = 10 * minute;

/** Returns the rows of messages that are still parked. */
const parkedRows = async () =>
  (await harness.rows('deliveries')).filter(
    ({ messageShard, state }) => String(messageShard).startsWith('parking#') || state === 'parked',
  );

it('a failing receiver gets at most 110 requests in 20 seconds, and each of 100 messages once after it recovers', async () => {
  const { seen, ids, person } = await publishMany({ countdownSeconds: 1, maxRetries: -1 }, 100, seconds(20));
  expect(seen.refused.length).toBeLessThanOrEqual(110);
  expect(seen.mostAtOnce).toBeLessThanOrEqual(queueBatch);
  const back = harness.now();
  await harness.live({ until: back + seconds(60), mostEvents: 4000 });
  for (const id of ids) expect(harness.accepted(id)).toEqual([person?.uuid]);
  expect(harness.failures).toEqual([]);
});

it('a failing receiver gets at most 700 requests in the first hour, and at most 100 of these after the first half hour', async () => {
  const { seen, start } = await publishMany({ countdownSeconds: 1, maxRetries: -1 }, 8, hours(1));
  expect(seen.mostAtOnce).toBeLessThanOrEqual(queueBatch);
  expect(seen.refused.length).toBeLessThanOrEqual(700);
  expect(seen.refused.filter((at) => at >= start + hours(1) / 2).length).toBeLessThanOrEqual(100);
});

describe('a parked message', () => {
  it('gets all its retries', async () => {
    const { ids, person, seen } = await publishMany({ countdownSeconds: 60, maxRetries: 1 }, 20, hours(1));
    expect(seen.mostAtOnce).toBeLessThanOrEqual(queueBatch);
    for (const id of ids) expect(harness.tries(id, String(person?.uuid)).length).toBeGreaterThanOrEqual(2);
    expect(harness.failures).toHaveLength(ids.length);
    for (const id of ids) {
      // Probes take precedence over the attempts that the policy requires.
      const [first, second] = harness.tries(id, String(person?.uuid)).slice(-2);
      expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(seconds(60));
    }
  });

  it('a parked message fails if its subscription is paused', async () => {
    const { ids, person } = await publishMany({ countdownSeconds: 3600, maxRetries: -1 }, 8, tenMinutes - minute / 2);
    harness.answer(() => ({ class: 'http', status: 410 }));
    await harness.live({ until: harness.now() + hours(2), mostEvents: 1000 });
    expect((await harness.subscription(String(person?.uuid)))?.pausedReason).toBe('gone');
    expect(harness.failures.map(({ messageId }) => messageId).toSorted()).toEqual(ids.toSorted());
    expect(await parkedRows()).toEqual([]);
  });
});

it('a receiver that accepts nothing for `deliveryDays` gets one attempt a day, and its overdue messages fail', async () => {
  const { ids, person } = await publishMany({ countdownSeconds: 3600, maxRetries: -1 }, 8, hours(60));
  const uuid = String(person?.uuid);
  // The oldest message is retried once a day for an unlimited time.
  expect(harness.failures.map(({ messageId }) => messageId).toSorted()).toEqual(ids.slice(1).toSorted());
  expect(await parkedRows()).toEqual([]);
  const { topicName } = await harness.subscription(uuid);
  let probes = 0;
  harness.answer(() => {
    probes += 1;
    return { class: 'http', status: 500 };
  });
  const later = await harness.publish(topicName);
  await harness.live({ until: harness.now() + hours(24), mostEvents: 1000 });
  expect([probes > 0, probes <= 2]).toEqual([true, true]);
  expect([harness.accepted(later), await parkedRows()]).toMatchObject([[], [{}, {}, {}]]);
  expect(await harness.subscription(uuid)).toMatchObject({ isActive: true });
});
