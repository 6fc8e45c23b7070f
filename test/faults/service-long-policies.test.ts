/*
 * Promise: a policy is kept to its end, however long that is: 168 retries an hour apart, each wait a chain of hops, never
 * early; and without end for one that asks for it, beyond the 14 days that SQS keeps a message and the 30 that the ledger
 * keeps one. The clock is virtual, everything that is asked for the time is real.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { refuses } from '../harness/fake-sender.ts';
import type { Interference } from '../harness/interference.ts';

const harness = useDeliveryHarness();
const hour = 3_600_000;
const day = 24 * hour;

/** Counts the hops: what the function `wait` puts back to wait. */
function counting(): { interference: Interference; hops: () => number } {
  let hops = 0;
  const call: Interference['call'] = ({ command, input }, go) => {
    if (command === 'SendMessageBatch' && String(input.QueueUrl).endsWith('/retry')) hops += 1;
    return go();
  };
  return { interference: { call }, hops: () => hops };
}

/** What DynamoDB's TTL does, without its delay. */
async function expire(): Promise<number> {
  const gone = (await harness.rows('deliveries')).filter(({ expiresAt }) => Number(expiresAt) * 1000 < harness.now());
  for (const { messageSlice, taskKey } of gone) await harness.remove('deliveries', { messageSlice, taskKey });
  return gone.length;
}

// The console is quiet while a test runs.
let figures = '';
afterAll(() => console.info(figures));

describe('a policy', () => {
  it('of 168 retries, an hour apart, is kept to its end in chains of hops', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 3600, maxRetries: 168 });
    const { interference, hops } = counting();
    harness.answer(refuses);
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

  it('without end goes on beyond what SQS and the ledger keep, and delivers in the end', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 3 * 24 * 3600, maxRetries: -1 });
    const uuid = String(person?.uuid);
    const body = JSON.stringify({ source: 'x'.repeat(9000) });
    const start = harness.now();
    harness.answer(refuses);
    const messageId = await harness.publish(topic.name, body);
    // Through the queues, hop by hop: what waits is never older than a hop.
    await harness.live({ until: start + 15 * day, isSwept: false, mostEvents: 3000 });
    expect(harness.tries(messageId, uuid)).toHaveLength(5);
    expect(harness.ageIn('retry')).toBeLessThanOrEqual(900_000);
    // From here on the sweeper alone keeps it going, and the table forgets what its TTL lets it forget.
    let expired = 0;
    while (harness.now() < start + 48 * day) {
      await harness.purge();
      harness.pass(hour);
      expired += await expire();
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

  it('whose attempt crashed before the message was kept keeps it when the task is shown again', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, { countdownSeconds: 14 * 24 * 3600, maxRetries: 5 });
    harness.answer(refuses);
    const messageId = await harness.publish(topic.name);
    await harness.work();
    await harness.purge();
    harness.pass(14 * day + hour);
    await harness.sweep();
    await harness.work('fanOut');
    const keptUntil = async () =>
      (await harness.rows('deliveries')).find(({ taskKey }) => taskKey === 'message')?.expiresAt as number;
    const before = await keptUntil();
    let refusals = 0;
    harness.interfere({
      call: ({ command, input }, go) => {
        const isKeeping = command === 'UpdateItem' && JSON.stringify(input).includes('"message"');
        if (!isKeeping || refusals > 0) return go();
        refusals += 1;
        return Promise.reject(new Error('throttled'));
      },
    });
    await harness.workOnce('http');
    expect([refusals, await keptUntil()]).toEqual([1, before]);
    harness.pass(60_000);
    await harness.workOnce('http');
    expect(await keptUntil()).toBeGreaterThan(before + 27 * 24 * 3600);
    expect(harness.posts.filter((post) => post.messageId === messageId)).toHaveLength(2);
  });
});
