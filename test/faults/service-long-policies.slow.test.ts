/*
 * Promise: the service follows a retry policy to its end, even if this takes weeks. One test makes 168 retries, each at
 * least an hour after the previous one, and each wait is a chain of hops. A policy without an end continues beyond the
 * retention periods of SQS (14 days) and of the deliveries table (30 days). The tests run the real functions with a
 * virtual clock.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { rejects } from '../harness/fake-sender.ts';
import type { Interference } from '../harness/interference.ts';

const harness = useDeliveryHarness();
const hour = 3_600_000;
const day = 24 * hour;

/** Counts the hops. A hop is a message that the function `wait` sends back to its queue. */
function countHops(): { interference: Interference; hops: () => number } {
  let hops = 0;
  const call: Interference['call'] = ({ command, input }, go) => {
    if (command === 'SendMessageBatch' && String(input.QueueUrl).endsWith('/retry')) hops += 1;
    return go();
  };
  return { interference: { call }, hops: () => hops };
}

/** Deletes expired rows immediately, whereas DynamoDB deletes them with a delay. */
async function deleteExpired(): Promise<number> {
  const expired = (await harness.rows('deliveries')).filter(
    ({ expiresAt }) => Number(expiresAt) * 1000 < harness.now(),
  );
  for (const { messageShard, taskKey } of expired) await harness.remove('deliveries', { messageShard, taskKey });
  return expired.length;
}

// Vitest does not print console output during a test.
let figures = '';
afterAll(() => console.info(figures));

describe('a policy', () => {
  it('a policy with 168 hourly retries is followed to its end, and each wait is a chain of hops', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 3600, maxRetries: 168 });
    const { interference, hops } = countHops();
    harness.answer(rejects);
    harness.interfere(interference);
    const messageId = await harness.publish(topic.name);
    await harness.live({ mostEvents: 2000 });
    const times = harness.tries(messageId, String(person?.uuid)).map(({ at }) => at);
    const waits = times.slice(1).map((at, index) => (at - Number(times[index])) / 1000);
    expect(times).toHaveLength(169);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(3600);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3600 + 30);
    expect(hops()).toBeGreaterThanOrEqual(4 * 168);
    expect(harness.failures).toEqual([{ messageId, uuid: person?.uuid }]);
    const rows = await harness.rows('deliveries');
    expect(rows.find(({ taskKey }) => taskKey === `one#${person?.uuid}`)).toMatchObject({
      state: 'failed',
      attempt: 168,
    });
    figures = `virtual clock: 169 attempts, ${hops()} hops, ${Math.round((harness.now() - Number(times[0])) / hour)} hours`;
  });

  it('a policy without an end continues beyond the retention periods of SQS and the deliveries table, and delivers the message', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 3 * 24 * 3600, maxRetries: -1 });
    const uuid = String(person?.uuid);
    const body = JSON.stringify({ source: 'x'.repeat(9000) });
    const start = harness.now();
    harness.answer(rejects);
    const messageId = await harness.publish(topic.name, body);
    // No message in a queue is ever older than one hop.
    await harness.live({ until: start + 15 * day, isSwept: false, mostEvents: 3000 });
    expect(harness.tries(messageId, uuid)).toHaveLength(5);
    expect(harness.ageIn('retry')).toBeLessThanOrEqual(900_000);
    // The following loop empties the queues, so that only the sweeper continues the retries. Expired rows are deleted.
    let expired = 0;
    while (harness.now() < start + 48 * day) {
      await harness.purge();
      harness.pass(hour);
      expired += await deleteExpired();
      harness.pass(Math.max(0, Number(await harness.nextDue()) - harness.now()) + 1000);
      await harness.sweep();
      await harness.work();
    }
    expect(expired).toBeGreaterThan(0);
    expect(harness.tries(messageId, uuid).length).toBeGreaterThanOrEqual(15);
    const rows = await harness.rows('deliveries');
    expect(rows.map(({ taskKey }) => taskKey).toSorted()).toEqual(['message', `one#${uuid}`]);
    for (const { expiresAt } of rows) expect(Number(expiresAt) * 1000).toBeGreaterThan(harness.now() + 3 * day);
    harness.answer(() => ({ class: 'delivered' }));
    harness.pass(4 * day);
    await harness.sweep();
    await harness.work();
    expect(harness.posts.at(-1)).toMatchObject({ uuid, messageId, body, isAccepted: true });
  });

  it('a policy with hourly retries needs at most 1.3 SQS requests per retry, because ten waiting tasks share a batch', async () => {
    const [topic, tasks] = [await harness.newTopic(), 10];
    const policy = { countdownSeconds: 3600, maxRetries: 1 };
    await harness.subscribed(topic, ...Array.from({ length: tasks }, () => policy));
    const { interference, hops } = countHops();
    harness.answer(rejects);
    harness.interfere(interference);
    await harness.publishAndWork(topic.name);
    let batches = 0;
    while (harness.payloadsIn('http').length < tasks) {
      // Each retry starts up to 15 s late, so that not all retries start in the same second.
      harness.pass(hour / 4 + 5000);
      if (await harness.workOnce('retry')) batches += 1;
    }
    // For each batch, Lambda sends one request to receive it and one to delete it.
    expect([batches, (hops() + 2 * batches) / tasks]).toEqual([4, 1.2]);
  });
});
