import { expect, it } from 'vitest';
import { Busy, type DeliveryTask } from '../../shared/domain/deliveries/task.ts';
import { aNotification, aTask } from '../harness/builders.ts';
import { leaseMs } from '../harness/deliveries.ts';
import { status } from '../harness/receiver.ts';
import { useTaskHarness } from '../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, outcomes, waiting } = harness;
const killed = new Error('killed');

it.each([
  ['a first attempt', (uuids: string[]) => ({ subscriptionUuids: uuids })],
  ['a retry', ([uuid]: string[]) => ({ taskKey: `one#${uuid}`, isSingle: true, attempt: 1 })],
])(
  'if two copies of the task for %s run at the same time, they cause only one retry or failure report',
  async (_what, given) => {
    const [fails, ends] = [await subscriber({ maxRetries: 9 }), await subscriber({ maxRetries: 0 })];
    for (const person of [fails, ends]) {
      const task = aTask(aNotification(topic), [person], given([person.uuid]));
      const { promise: isRefused, resolve: refuse } = Promise.withResolvers<void>();
      harness.receiver.answer(() => isRefused.then(() => ({ status: 500 })));
      const copies = [deliver(task), deliver(task)];
      await expect(Promise.race(copies)).rejects.toBeInstanceOf(Busy);
      refuse();
      expect((await Promise.allSettled(copies)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const later of [leaseMs / 2, leaseMs, 9 * leaseMs]) {
        harness.pass(later);
        await deliver(task);
      }
    }
    expect(waiting()).toHaveLength(1);
    expect(harness.failures).toMatchObject([{ uuid: ends.uuid }]);
    expect(harness.receiver.received).toHaveLength(2);
  },
);

it('a task keeps the outcome of the newer run if an older run ends after its lease has expired', async () => {
  const task = aTask(aNotification(topic), [await subscriber()]);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  harness.receiver.answer(async () => {
    const isFirst = harness.receiver.received.length === 1;
    if (isFirst) await isReleased;
    return { status: isFirst ? 500 : 200 };
  });
  const slow = deliver(task);
  await harness.receiver.arrival('Notification');
  harness.pass(leaseMs + 1);
  await deliver(task);
  release();
  await slow;
  expect(waiting()).toEqual([]);
  expect(Object.values(await outcomes())).toMatchObject([{ class: 'delivered' }]);
});

it("a repeated task sends a late subscription's single delivery again if the queue rejected that delivery", async () => {
  const [early, late] = [await subscriber(), await subscriber()];
  const task = aTask(aNotification(topic), [early]);
  harness.receiver.answer(status(500));
  await deliver(task);
  const repeated = { ...task, subscriptionUuids: [early.uuid, late.uuid] };
  const refusing = { ...harness.engine, laterLane: { sendMany: () => Promise.reject(killed) } };
  await expect(deliver(repeated, refusing)).rejects.toBe(killed);
  expect(await harness.single(late)).toMatchObject({ state: 'waiting', attempt: -1 });
  const sent: { payload: DeliveryTask }[] = [];
  await deliver(repeated, { ...harness.engine, laterLane: { sendMany: async (some) => void sent.push(...some) } });
  expect(sent).toMatchObject([{ payload: { subscriptionUuids: [late.uuid], isSingle: true } }]);
  expect(Object.keys(await outcomes()).toSorted()).toEqual([early.uuid, late.uuid].toSorted());
  expect(harness.receiver.received).toHaveLength(1);
});
