import { expect, test } from 'vitest';
import { handler as publishEvent } from '../../../functions/topics/publish-event.ts';
import { rejects } from '../../harness/fake-sender.ts';
import { useRetention } from '../../harness/retention-harness.ts';

const harness = useRetention();
const { placesOf, dayAfter } = harness;
const [small, long] = ['Zqsmallzq', 'Zqlongzq'];

const deliveries = 'table deliveries';
const bodies = 'bucket documents, messages/';
const queued = 'delivery queues';

/** Creates a topic with one subscription for each of the two events. */
async function subscribed(policy: { countdownSeconds?: number; maxRetries?: number } = {}): Promise<void> {
  for (const name of ['Small', 'Long']) await harness.subscribed(await harness.newTopic(name), policy);
}

/** Publishes an event whose body is stored with its deliveries, and an event whose body is stored in the bucket. */
async function publish(): Promise<void> {
  for (const [uuid, text] of [
    ['Small', small],
    ['Long', `${long} ${'x'.repeat(9000)}`],
  ] as const) {
    const body = JSON.stringify({ source: 'CR', text });
    expect((await harness.call(publishEvent, { path: { uuid }, body })).status).toBe(200);
  }
}

/** Empties all queues, advances the clock until the next delivery is due, and runs the sweeper and the workers. */
async function nextRetry(): Promise<void> {
  await harness.purge();
  harness.moveTo(Number(await harness.nextDue()) + 60_000);
  await harness.sweep();
  await harness.work();
}

test("an event's content is stored in the deliveries or the bucket for the documented time, and in queues only in transit", async () => {
  await subscribed();
  await publish();
  expect(await placesOf(small)).toEqual([queued, deliveries]);
  expect(await placesOf(long)).toEqual([bodies, queued]);
  await harness.live();
  expect(harness.posts).toHaveLength(2);
  for (const day of [14, 29]) {
    await dayAfter(day);
    expect(await placesOf(small)).toEqual([deliveries]);
    expect(await placesOf(long)).toEqual([bodies]);
  }
  await dayAfter(31);
  expect(await placesOf(small)).toEqual([]);
  await dayAfter(44);
  expect(await placesOf(long)).toEqual([bodies]);
  await dayAfter(45);
  expect(await placesOf(long)).toEqual([`${bodies}, old versions`]);
  await dayAfter(46);
  expect(await placesOf(small, long)).toEqual([]);
  expect(await harness.rows('deliveries')).toEqual([]);
});

test('an event is kept for `deliveryDays` plus one day after its last retry, and a body in the bucket for 15 days longer', async () => {
  await subscribed({ countdownSeconds: 14 * 86_400, maxRetries: 2 });
  harness.answer(rejects);
  await publish();
  await harness.work();
  for (let looks = 0; harness.posts.length < 6 && looks < 12; looks += 1) {
    await nextRetry();
    expect(await placesOf(long)).toContain(bodies);
  }
  expect(harness.posts).toHaveLength(6);
  const lastDay = 28;
  for (const day of [31, 45, lastDay + 29]) {
    await dayAfter(day);
    expect(await placesOf(small)).toEqual([deliveries]);
    expect(await placesOf(long)).toContain(bodies);
  }
  await dayAfter(lastDay + 30 + 2);
  expect(await placesOf(small)).toEqual([]);
  await dayAfter(lastDay + 30 + 15 + 2);
  expect(await placesOf(small, long)).toEqual([]);
  expect(await harness.rows('deliveries')).toEqual([]);
});

test("a message that cannot be processed stays in a dead-letter queue for the queue's retention period", async () => {
  await subscribed();
  await publish();
  const [payload = ''] = harness.bodiesIn('fanOut');
  await harness.purge();
  await harness.sendDead('fanOut', payload);
  await dayAfter(13);
  expect(await placesOf(small)).toEqual([queued, deliveries]);
  await dayAfter(14);
  expect(await placesOf(small)).toEqual([deliveries]);
});
