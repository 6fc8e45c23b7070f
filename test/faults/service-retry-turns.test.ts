/*
 * Promise: one receiver that fails costs little, whatever its policy and however many messages wait for it: five of them are
 * tried at a time, the longer it has been failing the more seldom, and the others wait their turn without losing an attempt.
 * Once it is back, each arrives once and soon.
 */
import { describe, expect, it } from 'vitest';
import { mostAtOnce } from '../../shared/domain/deliveries/turn.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import type { Answering } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const seconds = (count: number) => count * 1000;
const hours = (count: number) => seconds(3600 * count);

/** A receiver that is down until a time, and what it saw. */
function downUntil(end: number) {
  const seen = { atOnce: 0, mostAtOnce: 0, refused: [] as number[] };
  const answering: Answering = async () => {
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

/** So many messages to one subscription, whose receiver is down; the first has failed when the others come. */
async function manyTo(policy: { countdownSeconds: number; maxRetries: number }, count: number, downMs: number) {
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

describe('a receiver that answers 500, with a policy of a second without end, and 100 messages', () => {
  it('sees five at a time, 110 attempts in 20 seconds, and each message once when it is back', async () => {
    const { seen, ids, person } = await manyTo({ countdownSeconds: 1, maxRetries: -1 }, 100, seconds(20));
    expect(seen.refused.length).toBeLessThanOrEqual(110);
    expect(seen.mostAtOnce).toBeLessThanOrEqual(mostAtOnce);
    const back = harness.now();
    await harness.live({ until: back + seconds(60), mostEvents: 4000 });
    for (const id of ids) expect(harness.accepted(id)).toEqual([person?.uuid]);
    expect(harness.failures).toEqual([]);
  });

  it('sees ever fewer attempts: 700 in an hour, 100 of them in its second half', async () => {
    const { seen, start } = await manyTo({ countdownSeconds: 1, maxRetries: -1 }, 8, hours(1));
    expect(seen.mostAtOnce).toBeLessThanOrEqual(mostAtOnce);
    expect(seen.refused.length).toBeLessThanOrEqual(700);
    expect(seen.refused.filter((at) => at >= start + hours(1) / 2).length).toBeLessThanOrEqual(100);
  }, 180_000);
});

describe('a message that waits for its turn', () => {
  it('has its whole policy before it', async () => {
    const { ids, person, seen } = await manyTo({ countdownSeconds: 60, maxRetries: 1 }, 20, hours(1));
    expect(seen.mostAtOnce).toBeLessThanOrEqual(mostAtOnce);
    for (const id of ids) expect(harness.tries(id, String(person?.uuid))).toHaveLength(2);
    expect(harness.failures).toHaveLength(ids.length);
    for (const id of ids) {
      const [first, second] = harness.tries(id, String(person?.uuid));
      expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(seconds(60));
    }
  }, 120_000);

  it('is not held back by older ones whose next attempts are far away', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 3600, maxRetries: 9 });
    const start = harness.now();
    downUntil(start + tenMinutes);
    for (let old = 0; old < 2 * mostAtOnce; old += 1) await harness.publish(topic.name);
    await harness.live({ until: start + tenMinutes, mostEvents: 1000 });
    const young = await harness.publish(topic.name);
    await harness.work();
    expect(harness.accepted(young)).toEqual([person?.uuid]);
  });
});
