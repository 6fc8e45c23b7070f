import { describe, expect, it } from 'vitest';
import type { DeliveryContext } from '../../../shared/delivery/delivery-context.ts';
import { mostAtOnce } from '../../../shared/domain/deliveries/turn.ts';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { aNotification, aTask, noon } from '../../harness/builders.ts';
import { aPublication, expiresAt } from '../../harness/deliveries.ts';
import { useTaskHarness } from '../../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, single, waiting } = harness;
const daySeconds = 24 * 3600;

/** A task whose retry is due while five older messages are tried at the same receiver, which has failed since noon. */
async function behindOthers() {
  const person = await subscriber({ isFailing: true, failingSince: noon, countdownSeconds: 60 });
  const publication = aPublication({ topicUuid: topic.uuid, generation: topic.generation, messageId: 'young' });
  const { open, openOwn } = ledgerStore.permissions.open(harness.dynamodb.client, harness.tables.deliveries);
  await open(publication, 'publication', noon, expiresAt);
  const own = { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 0 };
  const task = aTask({ type: 'Notification', ...publication }, [person], own);
  await openOwn(task, noon, expiresAt, 2);
  for (let older = 0; older < mostAtOnce; older += 1) {
    await openOwn(aTask(aNotification(topic, { messageId: `old${older}` }), [person], own), noon, expiresAt);
  }
  return { task };
}

const kept = async (messageId: string) =>
  (await harness.ledger()).find((row) => row.messageId === messageId && row.taskKey === 'message')?.expiresAt;

describe('a task that waits for its turn', () => {
  it.each<[string, (engine: DeliveryContext) => DeliveryContext]>([
    ['its timer', (engine) => ({ ...engine, retry: { sendMany: () => Promise.reject(new Error('killed')) } })],
    [
      'its row',
      (engine) => ({ ...engine, ledger: { ...engine.ledger, defer: () => Promise.reject(new Error('killed')) } }),
    ],
  ])('has a timer also where %s could not be written at first', async (_what, dying) => {
    const { task } = await behindOthers();
    await expect(deliver(task, dying(harness.engine))).rejects.toThrow('killed');
    await deliver(task);
    expect(waiting().length).toBeGreaterThan(0);
    const timers = waiting().length;
    // Shown again it waits already.
    await deliver(task);
    expect(waiting()).toHaveLength(timers);
    expect(harness.receiver.received).toEqual([]);
  });

  it('begins the looks of the sweeper anew', async () => {
    const { task } = await behindOthers();
    const resumes = async () =>
      (await harness.ledger()).find(({ state, messageId }) => state && messageId === 'young')?.resumes;
    expect(await resumes()).toBe(2);
    await deliver(task);
    expect(await resumes()).toBeUndefined();
  });

  it('is kept, and its message too, for as long as after an attempt', async () => {
    const { task } = await behindOthers();
    harness.moveTo(noon + 20 * daySeconds * 1000);
    const { dynamodb, tables } = harness;
    const { openOwn } = ledgerStore.permissions.open(dynamodb.client, tables.deliveries);
    const [person] = task.subscriptionUuids;
    for (let older = 0; older < mostAtOnce; older += 1) {
      const content = { ...task.content, messageId: `older${older}` };
      await openOwn({ ...task, content }, harness.now(), expiresAt + 20 * daySeconds);
    }
    await deliver(task);
    const row = (await harness.ledger()).find(
      ({ taskKey, messageId }) => messageId === 'young' && taskKey === `one#${person}`,
    );
    expect(waiting()).toHaveLength(1);
    expect(Number(row?.expiresAt)).toBeGreaterThanOrEqual(expiresAt + 20 * daySeconds);
    expect(Number(await kept('young'))).toBeGreaterThanOrEqual(expiresAt + 20 * daySeconds);
  });
});

describe('a task that nobody wants any more', () => {
  it.each([
    ['paused', { isActive: false, pausedReason: 'gone' as const }, 'failed'],
    ['of an address that came later', { generation: 'another' }, 'dropped'],
  ])('is dropped although its body is gone: %s', async (_what, given, state) => {
    const person = await subscriber(given);
    const { bodyBase64: _, ...notification } = aNotification(topic);
    const own = { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 0 };
    const task = aTask({ ...notification, bodyKey: 'gone' }, [person], own);
    await ledgerStore.permissions
      .open(harness.dynamodb.client, harness.tables.deliveries)
      .openOwn(task, noon, expiresAt);
    await deliver(task);
    expect(await single(person)).toMatchObject({ state });
  });
});
