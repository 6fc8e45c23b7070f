import { expect, it } from 'vitest';
import type { DeliveryContext } from '../../shared/delivery/delivery-context.ts';
import { maxActiveMessages, parkedExpiry } from '../../shared/domain/deliveries/parking.ts';
import { deliveries as deliveriesStore } from '../../shared/storage/deliveries/store.ts';
import { aNotification, aTask, noon } from '../harness/builders.ts';
import { aPublication, expiresAt } from '../harness/deliveries.ts';
import { status } from '../harness/receiver.ts';
import { useTaskHarness } from '../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, single, waiting } = harness;

/** Returns the task for a first attempt to a failing receiver that has five older waiting messages. */
async function behindOthers() {
  const person = await subscriber({ isFailing: true, failingSince: noon, countdownSeconds: 60, maxRetries: 0 });
  const publication = aPublication({ topicUuid: topic.uuid, generation: topic.generation, messageId: 'young' });
  const { createMessage, openSingle } = harness.publishing();
  await createMessage(publication, 'publication', noon, expiresAt);
  const own = { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 0 };
  const task = aTask({ type: 'Notification', ...publication }, [person], own);
  await openSingle(task, noon, expiresAt, 2);
  for (let older = 0; older < maxActiveMessages; older += 1) {
    const timestamp = new Date(noon - 1000 * (older + 1)).toISOString();
    await openSingle(
      aTask(aNotification(topic, { messageId: `z${older}`, timestamp }), [person], own),
      noon,
      expiresAt,
    );
  }
  return { task };
}

const rowOf = async (messageId: string) =>
  (await harness.deliveries()).find((row) => row.messageId === messageId && String(row.taskKey).startsWith('one#'));
const parking = async () =>
  (await harness.deliveries()).filter(({ messageShard }) => String(messageShard).startsWith('parking#'));

it('a task behind five older messages is parked without an attempt', async () => {
  const { task } = await behindOthers();
  await deliver(task);
  const row = await rowOf('young');
  expect(row).toMatchObject({ state: 'parked', attempt: -1 });
  for (const name of ['owner', 'statusKey', 'sweepShard', 'sweepAt', 'resumes']) expect(row).not.toHaveProperty(name);
  expect(await parking()).toMatchObject([
    { messageId: 'young', rowOf: row?.messageShard },
    { taskKey: 'parking', failingSince: noon, sweepShard: expect.stringMatching(/^due#/) },
  ]);
  expect([waiting(), harness.receiver.received]).toEqual([[], []]);
});

it.each<[string, Partial<DeliveryContext['deliveries']>]>([
  ['its parking row is written', { openParking: () => Promise.reject(new Error('killed')) }],
  ['it is parked', { park: () => Promise.reject(new Error('killed')) }],
])('a task keeps its timer if the process stops before %s, and is parked when repeated', async (_what, dying) => {
  const { task } = await behindOthers();
  const engine = { ...harness.engine, deliveries: { ...harness.engine.deliveries, ...dying } };
  await expect(deliver(task, engine)).rejects.toThrow('killed');
  expect(await rowOf('young')).toMatchObject({ state: 'waiting', sweepShard: expect.any(String) });
  await deliver(task);
  await deliver(task);
  expect(await rowOf('young')).toMatchObject({ state: 'parked' });
  expect((await parking()).length).toBe(2);
});

it('a failed probe leaves the task parked and does not count as a retry, even if the policy allows no retries', async () => {
  const { task } = await behindOthers();
  await deliver(task);
  harness.receiver.answer(status(500));
  await deliver({ ...task, isProbe: true });
  expect(harness.receiver.received).toHaveLength(1);
  // A probe must not shorten the lifetime of the row, because a failing receiver gets a probe only once a day.
  const kept = { expiresAt: parkedExpiry(harness.engine.now(), harness.engine.settings.deliveryDays) };
  expect(await rowOf('young')).toMatchObject({
    state: 'parked',
    attempt: 0,
    base: 1,
    outcome: { status: 500 },
    ...kept,
  });
  expect(await rowOf('young')).not.toHaveProperty('sweepShard');
  expect(waiting()).toEqual([]);
});

it('an expired task keeps the outcome of its last probe and the response of the receiver', async () => {
  const { task } = await behindOthers();
  await deliver(task);
  const sender = { deliver: async () => ({ class: 'http', status: 400, response: 'unknown key' }) as const };
  await deliver({ ...task, isProbe: true }, { ...harness.engine, sender });
  const response = { at: noon, text: 'unknown key' };
  expect(await rowOf('young')).toMatchObject({ response });
  const { listParked, expireParked } = deliveriesStore.permissions.visitParking(
    harness.dynamodb.client,
    harness.tables.deliveries,
  );
  for (const place of await listParked(task.subscriptionUuids[0] ?? '', 1)) await expireParked(place, noon, expiresAt);
  const row = await rowOf('young');
  expect(row).toMatchObject({ state: 'failed', outcome: { class: 'expired' }, response });
  expect(row).toMatchObject({ past: [['http', 400, noon, 0]] });
});

it('a delivered probe starts the release of all parked messages', async () => {
  const { task } = await behindOthers();
  await deliver(task);
  await deliver({ ...task, isProbe: true });
  expect(await rowOf('young')).toMatchObject({ state: 'delivered' });
  expect(harness.payloadsIn('fanOut')).toEqual([{ parkingOf: task.subscriptionUuids[0] }]);
});

it.each([
  ['its subscription is paused', { isActive: false, pausedReason: 'gone' as const }, 'failed'],
  ['its subscription belongs to another generation of the topic', { generation: 'another' }, 'dropped'],
])('a task ends if %s, even if the message body has expired', async (_what, given, state) => {
  const person = await subscriber(given);
  const { bodyBase64: _, ...notification } = aNotification(topic);
  const own = { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 0 };
  const task = aTask({ ...notification, bodyKey: 'gone' }, [person], own);
  await harness.publishing().openSingle(task, noon, expiresAt);
  await deliver(task);
  expect(await single(person)).toMatchObject({ state });
});
