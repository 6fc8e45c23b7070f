/*
 * Promise: a failing receiver gets few requests, regardless of its policy and of the number of waiting messages. The
 * service tries to deliver five messages at a time, and tries less often the longer the receiver fails. The other
 * messages wait without losing an attempt. After the receiver recovers, each message soon arrives, and only once.
 */
import { describe, expect, it } from 'vitest';
import { maxActiveMessages } from '../../shared/domain/deliveries/parking.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import type { ChooseOutcome } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const seconds = (count: number) => count * 1000;
const hours = (count: number) => seconds(3600 * count);

/** Simulates a receiver that is down until the given time. Counts its requests. */
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
 * Publishes messages to one subscription whose receiver is down. The first message fails before the other messages are
 * published.
 */
async function publishMany(policy: { countdownSeconds: number; maxRetries: number }, count: number, downMs: number) {
  const topic = await harness.newTopic();
  const [person] = await harness.subscribed(topic, policy);
  const start = harness.now();
  const seen = downUntil(start + downMs);
  const ids = [await harness.publish(topic.name)];
  await harness.work('fanOut', 'http');
  while (ids.length < count) ids.push(await harness.publish(topic.name));
  await harness.live({ until: start + downMs, mostEvents: 4000 });
  return { seen, ids, person, start };
}

const tenMinutes = 10 * 60_000;

describe('a receiver that returns 500, with an endless policy of one retry per second', () => {
  it('gets at most 110 requests in 20 seconds, five at a time, and gets each of 100 messages once after it recovers', async () => {
    const { seen, ids, person } = await publishMany({ countdownSeconds: 1, maxRetries: -1 }, 100, seconds(20));
    expect(seen.refused.length).toBeLessThanOrEqual(110);
    expect(seen.mostAtOnce).toBeLessThanOrEqual(maxActiveMessages);
    const back = harness.now();
    await harness.live({ until: back + seconds(60), mostEvents: 4000 });
    for (const id of ids) expect(harness.accepted(id)).toEqual([person?.uuid]);
    expect(harness.failures).toEqual([]);
  });

  it('gets fewer requests over time: at most 700 in an hour and at most 100 in the second half hour', async () => {
    const { seen, start } = await publishMany({ countdownSeconds: 1, maxRetries: -1 }, 8, hours(1));
    expect(seen.mostAtOnce).toBeLessThanOrEqual(maxActiveMessages);
    expect(seen.refused.length).toBeLessThanOrEqual(700);
    expect(seen.refused.filter((at) => at >= start + hours(1) / 2).length).toBeLessThanOrEqual(100);
  }, 180_000);
});

describe('a message that waits for its turn', () => {
  it('gets all its retries', async () => {
    const { ids, person, seen } = await publishMany({ countdownSeconds: 60, maxRetries: 1 }, 20, hours(1));
    expect(seen.mostAtOnce).toBeLessThanOrEqual(maxActiveMessages);
    for (const id of ids) expect(harness.tries(id, String(person?.uuid))).toHaveLength(2);
    expect(harness.failures).toHaveLength(ids.length);
    for (const id of ids) {
      const [first, second] = harness.tries(id, String(person?.uuid));
      expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(seconds(60));
    }
  }, 120_000);

  it('is not delayed by older messages whose next attempts are due much later', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 3600, maxRetries: 9 });
    const start = harness.now();
    downUntil(start + tenMinutes);
    for (let old = 0; old < 2 * maxActiveMessages; old += 1) await harness.publish(topic.name);
    await harness.live({ until: start + tenMinutes, mostEvents: 1000 });
    const latest = await harness.publish(topic.name);
    await harness.work();
    expect(harness.accepted(latest)).toEqual([person?.uuid]);
  });
});
