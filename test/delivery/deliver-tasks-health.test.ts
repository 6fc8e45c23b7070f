import { expect, it } from 'vitest';
import { aNotification, aTask } from '../harness/builders.ts';
import { leaseMs } from '../harness/deliveries.ts';
import { status } from '../harness/receiver.ts';
import { useTaskHarness } from '../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, outcomes, single, waiting } = harness;

it('a failing subscription gets a single delivery even if the batch has no other subscription', async () => {
  const ill = await subscriber({ isFailing: true });
  await deliver(aTask(aNotification(topic), [ill]));
  expect(await outcomes()).toMatchObject({ [ill.uuid]: { class: 'split' } });
  expect(harness.receiver.received).toEqual([]);
  expect(harness.queued()).toMatchObject([{ isSingle: true, attempt: 0, subscriptionUuids: [ill.uuid] }]);
});

it('an internal error moves only the affected subscription to a single delivery', async () => {
  const [well, odd] = [await subscriber(), await subscriber()];
  const { sender } = harness.engine;
  const faulty: typeof sender = {
    deliver: (message, subscription) =>
      subscription.uuid === odd.uuid ? Promise.reject(new Error('no sender')) : sender.deliver(message, subscription),
  };
  const engine = { ...harness.engine, sender: faulty };
  await deliver(aTask(aNotification(topic), [well, odd]), engine);
  expect(await outcomes()).toMatchObject({ [well.uuid]: { class: 'delivered' }, [odd.uuid]: { class: 'split' } });
  const tasks = harness.queued();
  expect(tasks).toMatchObject([{ isSingle: true, attempt: 0, subscriptionUuids: [odd.uuid] }]);
  for (const task of tasks) await expect(deliver(task, engine)).rejects.toThrow('no sender');
});

it('the subscription row is not updated while deliveries succeed', async () => {
  const people = [await subscriber(), await subscriber()];
  const notes: unknown[] = [];
  const recordHealth = async (_: unknown, change: unknown) => void notes.push(change);
  const counting = { ...harness.engine, subscriptions: { ...harness.engine.subscriptions, recordHealth } };
  for (let messages = 0; messages < 3; messages += 1) {
    await deliver(aTask(aNotification(topic), people), counting);
    harness.pass(24 * 3_600_000);
  }
  expect(notes).toEqual([]);
  expect(harness.receiver.received).toHaveLength(6);
});

it('waiting tasks fail when the subscription is paused, so that operators can redeliver the messages', async () => {
  const person = await subscriber();
  harness.receiver.answer(status(500));
  await deliver(aTask(aNotification(topic), [person]));
  await harness.engine.subscriptions.recordHealth(person, { isFailing: true, pause: 'undeliverable' });
  harness.pass(60_000);
  const [{ payload }] = waiting() as [ReturnType<typeof waiting>[0]];
  await deliver(payload.task);
  const failure = { messageId: payload.task.content.messageId, uuid: person.uuid, outcome: { class: 'paused' } };
  expect(harness.failures).toEqual([failure]);
  // The result must not depend on how often the queue delivers the task.
  for (const later of [1, leaseMs + 1]) {
    harness.pass(later);
    await deliver(payload.task);
  }
  expect(harness.failures).toEqual([failure]);
  expect(harness.receiver.received).toHaveLength(1);
  expect(await single(person)).toMatchObject({ state: 'failed', sweepShard: expect.stringMatching(/^failed#/) });
});

it('a paused subscription gets no attempts, and its deliveries are recorded as failed', async () => {
  const [well, person] = [await subscriber(), await subscriber()];
  await harness.engine.subscriptions.recordHealth(person, { pause: 'bounce' });
  const messages = [aTask(aNotification(topic), [well, person]), aTask(aNotification(topic), [person])];
  for (const task of messages) await deliver(task);
  for (const task of harness.queued()) await deliver(task);
  expect(harness.receiver.received.map(({ headers }) => headers['subscription-id'])).toEqual([well.uuid]);
  const failure = { uuid: person.uuid, outcome: { class: 'paused' } };
  expect(harness.failures).toEqual(messages.map(({ content: { messageId } }) => ({ messageId, ...failure })));
  const rows = (await harness.deliveries()).filter(({ owner }) => owner === person.uuid);
  expect(rows.map(({ state }) => state)).toEqual(['failed', 'failed']);
});

it('pausing a subscription during a retry causes one failure report, even if the queue delivers the task again', async () => {
  const person = await subscriber();
  harness.receiver.answer(status(500));
  await deliver(aTask(aNotification(topic), [person]));
  harness.receiver.answer(status(410));
  const [{ payload }] = waiting() as [ReturnType<typeof waiting>[0]];
  await deliver(payload.task);
  harness.pass(leaseMs + 1);
  await deliver(payload.task);
  expect(harness.failures).toMatchObject([{ uuid: person.uuid, outcome: { class: 'http', status: 410 } }]);
});
