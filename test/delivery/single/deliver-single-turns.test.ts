import { describe, expect, it } from 'vitest';
import type { DeliveryContext } from '../../../shared/delivery/delivery-context.ts';
import { maxActiveMessages } from '../../../shared/domain/deliveries/parking.ts';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { aNotification, aTask, noon } from '../../harness/builders.ts';
import { aPublication, expiresAt } from '../../harness/deliveries.ts';
import { useTaskHarness } from '../../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, single, waiting } = harness;
const daySeconds = 24 * 3600;

/** Returns a task whose retry is due while older messages to the same failing receiver are still being retried. */
async function behindOthers() {
  const person = await subscriber({ isFailing: true, failingSince: noon, countdownSeconds: 60 });
  const publication = aPublication({ topicUuid: topic.uuid, generation: topic.generation, messageId: 'young' });
  const { createMessage, openSingle } = deliveriesStore.permissions.publish(
    harness.dynamodb.client,
    harness.tables.deliveries,
  );
  await createMessage(publication, 'publication', noon, expiresAt);
  const own = { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 0 };
  const task = aTask({ type: 'Notification', ...publication }, [person], own);
  await openSingle(task, noon, expiresAt, 2);
  for (let older = 0; older < maxActiveMessages; older += 1) {
    await openSingle(aTask(aNotification(topic, { messageId: `old${older}` }), [person], own), noon, expiresAt);
  }
  return { task };
}

const kept = async (messageId: string) =>
  (await harness.deliveries()).find((row) => row.messageId === messageId && row.taskKey === 'message')?.expiresAt;

describe('a task that waits for its turn', () => {
  it.each<[string, (engine: DeliveryContext) => DeliveryContext]>([
    ['its timer', (engine) => ({ ...engine, retry: { sendMany: () => Promise.reject(new Error('killed')) } })],
    [
      'its row',
      (engine) => ({
        ...engine,
        deliveries: { ...engine.deliveries, defer: () => Promise.reject(new Error('killed')) },
      }),
    ],
  ])('gets a timer at the next delivery if the first write of %s failed', async (_what, dying) => {
    const { task } = await behindOthers();
    await expect(deliver(task, dying(harness.engine))).rejects.toThrow('killed');
    await deliver(task);
    expect(waiting().length).toBeGreaterThan(0);
    const timers = waiting().length;
    // The task already has a timer, so the second delivery adds no timer.
    await deliver(task);
    expect(waiting()).toHaveLength(timers);
    expect(harness.receiver.received).toEqual([]);
  });

  it('resets the number of times that the sweeper has resumed it', async () => {
    const { task } = await behindOthers();
    const resumes = async () =>
      (await harness.deliveries()).find(({ state, messageId }) => state && messageId === 'young')?.resumes;
    expect(await resumes()).toBe(2);
    await deliver(task);
    expect(await resumes()).toBeUndefined();
  });

  it('extends the expiry of its row and its message, just as an attempt does', async () => {
    const { task } = await behindOthers();
    harness.moveTo(noon + 20 * daySeconds * 1000);
    const { dynamodb, tables } = harness;
    const { openSingle } = deliveriesStore.permissions.publish(dynamodb.client, tables.deliveries);
    const [person] = task.subscriptionUuids;
    for (let older = 0; older < maxActiveMessages; older += 1) {
      const content = { ...task.content, messageId: `older${older}` };
      await openSingle({ ...task, content }, harness.now(), expiresAt + 20 * daySeconds);
    }
    await deliver(task);
    const row = (await harness.deliveries()).find(
      ({ taskKey, messageId }) => messageId === 'young' && taskKey === `one#${person}`,
    );
    expect(waiting()).toHaveLength(1);
    expect(Number(row?.expiresAt)).toBeGreaterThanOrEqual(expiresAt + 20 * daySeconds);
    expect(Number(await kept('young'))).toBeGreaterThanOrEqual(expiresAt + 20 * daySeconds);
  });
});

describe('a task without a subscription to deliver to', () => {
  it.each([
    ['paused', { isActive: false, pausedReason: 'gone' as const }, 'failed'],
    ['in another generation of the topic', { generation: 'another' }, 'dropped'],
  ])('ends if its subscription is %s, even if the message body has expired', async (_what, given, state) => {
    const person = await subscriber(given);
    const { bodyBase64: _, ...notification } = aNotification(topic);
    const own = { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 0 };
    const task = aTask({ ...notification, bodyKey: 'gone' }, [person], own);
    await deliveriesStore.permissions
      .publish(harness.dynamodb.client, harness.tables.deliveries)
      .openSingle(task, noon, expiresAt);
    await deliver(task);
    expect(await single(person)).toMatchObject({ state });
  });
});
