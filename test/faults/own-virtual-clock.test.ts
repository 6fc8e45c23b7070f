/*
 * Promise: a policy is kept to its end, however long that is: 168 retries an hour apart, each wait a chain of hops, never
 * early; and without end for one that asks for it, beyond the 14 days that SQS keeps a message and the 30 that the ledger
 * keeps one. The clock is virtual, everything that is asked for the time is real.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Interference, refuses, usePlant } from '../harness/delivery-harness.ts';

const plant = usePlant();
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
  const gone = (await plant.rows('deliveries')).filter(({ expiresAt }) => Number(expiresAt) * 1000 < plant.now());
  for (const { messageId, taskKey } of gone) await plant.remove('deliveries', { messageId, taskKey });
  return gone.length;
}

// The console is quiet while a test runs.
let figures = '';
afterAll(() => console.info(figures));

describe('a policy', () => {
  it('of 168 retries, an hour apart, is kept to its end in chains of hops', async () => {
    const topic = await plant.topic();
    const [person] = await plant.subscribed(topic, { countdownSeconds: 3600, maxRetries: 168 });
    const { interference, hops } = counting();
    plant.answer(refuses);
    plant.interfere(interference);
    const messageId = await plant.publish(topic.name);
    await plant.live({ mostEvents: 2000 });
    const times = plant.tries(messageId, String(person?.uuid)).map(({ at }) => at);
    const waits = times.slice(1).map((at, index) => (at - Number(times[index])) / 1000);
    expect(times).toHaveLength(169);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(3600);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3600 + 30);
    expect(hops()).toBeGreaterThanOrEqual(4 * 168);
    expect(plant.failures).toEqual([{ messageId, uuid: person?.uuid }]);
    const rows = await plant.rows('deliveries');
    expect(rows.find(({ taskKey }) => taskKey === `one#${person?.uuid}`)).toMatchObject({
      state: 'failed',
      attempt: 168,
    });
    figures = `virtual clock: 169 attempts, ${hops()} hops, ${Math.round((plant.now() - Number(times[0])) / hour)} hours`;
  });

  it('without end goes on beyond what SQS and the ledger keep, and delivers in the end', async () => {
    const topic = await plant.topic();
    const [person] = await plant.subscribed(topic, { countdownSeconds: 3 * 24 * 3600, maxRetries: -1 });
    const uuid = String(person?.uuid);
    const body = JSON.stringify({ source: 'x'.repeat(9000) });
    const start = plant.now();
    plant.answer(refuses);
    const messageId = await plant.publish(topic.name, body);
    // Through the queues, hop by hop: what waits is never older than a hop.
    await plant.live({ until: start + 15 * day, isSwept: false, mostEvents: 3000 });
    expect(plant.tries(messageId, uuid)).toHaveLength(5);
    expect(plant.ageIn('retry')).toBeLessThanOrEqual(900_000);
    // From here on the sweeper alone keeps it going, and the table forgets what its TTL lets it forget.
    let expired = 0;
    while (plant.now() < start + 48 * day) {
      await plant.purge();
      plant.pass(hour);
      expired += await expire();
      plant.pass(Math.max(0, Number(await plant.nextDue()) - plant.now()) + 1000);
      await plant.sweep();
      await plant.work();
    }
    expect(expired).toBeGreaterThan(0);
    expect(plant.tries(messageId, uuid).length).toBeGreaterThanOrEqual(15);
    const rows = await plant.rows('deliveries');
    expect(rows.map(({ taskKey }) => taskKey).toSorted()).toEqual(['message', `one#${uuid}`]);
    for (const { expiresAt } of rows) expect(Number(expiresAt) * 1000).toBeGreaterThan(plant.now() + 3 * day);
    plant.answer(() => ({ class: 'delivered' }));
    plant.pass(4 * day);
    await plant.sweep();
    await plant.work();
    expect(plant.posts.at(-1)).toMatchObject({ uuid, messageId, body, isAccepted: true });
  });

  it('whose attempt crashed before the message was kept keeps it when the task is shown again', async () => {
    const topic = await plant.topic();
    await plant.subscribed(topic, { countdownSeconds: 14 * 24 * 3600, maxRetries: 5 });
    plant.answer(refuses);
    const messageId = await plant.publish(topic.name);
    await plant.work();
    await plant.purge();
    plant.pass(14 * day + hour);
    await plant.sweep();
    await plant.work('fanOut');
    const keptUntil = async () =>
      (await plant.rows('deliveries')).find(({ taskKey }) => taskKey === 'message')?.expiresAt as number;
    const before = await keptUntil();
    let refusals = 0;
    plant.interfere({
      call: ({ command, input }, go) => {
        const isKeeping = command === 'UpdateItem' && JSON.stringify(input).includes('"message"');
        if (!isKeeping || refusals > 0) return go();
        refusals += 1;
        return Promise.reject(new Error('throttled'));
      },
    });
    await plant.workOnce('http');
    expect([refusals, await keptUntil()]).toEqual([1, before]);
    plant.pass(60_000);
    await plant.workOnce('http');
    expect(await keptUntil()).toBeGreaterThan(before + 27 * 24 * 3600);
    expect(plant.posts.filter((post) => post.messageId === messageId)).toHaveLength(2);
  });
});
