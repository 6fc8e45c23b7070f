import { describe, expect, it } from 'vitest';
import type { DeliveryContext } from '../../shared/delivery/delivery-context.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { markGivenUp } from '../../shared/lambda/time-left.ts';
import { aNotification, aTask } from '../harness/builders.ts';
import { status } from '../harness/receiver.ts';
import { aSender } from '../harness/sender.ts';
import { useTaskHarness } from '../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, deliver, subscriber, waiting, deliveries } = harness;

const kinds = [
  ['a batch', (people: readonly StoredSubscription[]) => aTask(aNotification(topic), people)],
  [
    'a single',
    (people: readonly StoredSubscription[]) => {
      const given = { taskKey: `one#${people[0]?.uuid}`, isSingle: true, attempt: 1 };
      return aTask(aNotification(topic), people, given);
    },
  ],
] as const;

/** Returns a delivery context that has no time left for an attempt after a call to the given store method. */
function lateAfter<Name extends 'acquire' | 'acquireSingle'>(name: Name): DeliveryContext {
  let leftMs = 25_000;
  const { engine } = harness;
  const method = engine.deliveries[name] as (...given: unknown[]) => Promise<unknown>;
  const late = async (...given: unknown[]) => {
    const result = await method(...given);
    leftMs = 19_999;
    return result;
  };
  return { ...engine, timeLeftMs: () => leftMs, deliveries: { ...engine.deliveries, [name]: late } };
}

describe('a batch for which no attempt is possible', () => {
  it('a task stays in its queue unchanged until the signing keys can be read', async () => {
    const people = [await subscriber(), await subscriber()];
    const task = aTask(aNotification(topic), people);
    const sign = () => Promise.reject(new Error('no keys'));
    const keyless = aSender({ sign });
    await expect(deliver(task, { ...harness.engine, sender: keyless })).rejects.toThrow('no keys');
    expect(harness.receiver.received).toEqual([]);
    expect(harness.queued()).toEqual([]);
    // The first run released its lease, so the next run can start immediately.
    await deliver(task);
    expect(harness.receiver.received).toHaveLength(2);
    // The deliveries table has no rows for single deliveries.
    expect((await deliveries()).map(({ taskKey }) => taskKey)).toEqual([task.taskKey]);
    await keyless.close();
  });
});

describe.each(kinds)('%s task', (_kind, taskOf) => {
  it('a task is returned to its lane unchanged if there is no time to record an attempt', async () => {
    const task = taskOf([await subscriber()]);
    await deliver(task, { ...harness.engine, timeLeftMs: () => 19_999 });
    expect(harness.receiver.received).toEqual([]);
    expect(await deliveries()).toEqual([]);
    expect(waiting()).toMatchObject([{ payload: { task } }]);
    expect(waiting()[0]?.delaySeconds).toBeGreaterThanOrEqual(5);
  });

  it('each further run postpones the task for longer, up to 80 seconds plus jitter', async () => {
    const engine = { ...harness.engine, timeLeftMs: () => 19_999, jitter: () => 0 };
    let task = taskOf([await subscriber()]);
    const delays: (number | undefined)[] = [];
    for (let time = 0; time < 6; time += 1) {
      await deliver(task, engine);
      const last = waiting().at(-1);
      delays.push(last?.delaySeconds);
      task = last?.payload.task ?? task;
    }
    expect(delays).toEqual([5, 10, 20, 40, 80, 80]);
  });

  it('a task is released without an attempt if too little time is left once its row has been leased', async () => {
    const task = taskOf([await subscriber()]);
    await deliver(task, lateAfter(task.isSingle ? 'acquireSingle' : 'acquire'));
    expect(harness.receiver.received).toEqual([]);
    expect(waiting()).toMatchObject([{ payload: { task } }]);
    // The first run released its lease, so the next run can start immediately.
    await deliver(task);
    expect(harness.receiver.received).toHaveLength(1);
  });

  it('a task is postponed without an error if DynamoDB throttles requests until too little time is left', async () => {
    const task = taskOf([await subscriber()]);
    let leftMs = 25_000;
    const getMany = async () => {
      leftMs = 20_500;
      const error = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      markGivenUp(error);
      throw error;
    };
    const engine = { ...harness.engine, timeLeftMs: () => leftMs };
    await deliver(task, { ...engine, subscriptions: { ...engine.subscriptions, getMany } });
    expect(waiting()).toMatchObject([{ payload: { task } }]);
  });

  it('a task throws an error if a read fails while enough time is left', async () => {
    const task = taskOf([await subscriber()]);
    const getMany = () => Promise.reject(new Error('broken'));
    const engine = { ...harness.engine, subscriptions: { ...harness.engine.subscriptions, getMany } };
    await expect(deliver(task, engine)).rejects.toThrow('broken');
    expect(waiting()).toEqual([]);
  });

  it('a task reports its attempts only after they are recorded', async () => {
    const task = taskOf([await subscriber()]);
    harness.receiver.answer(status(500));
    const recorded: unknown[] = [];
    const reported = Promise.withResolvers<void>();
    const onAttempted = () => void deliveries().then((rows) => reported.resolve(void recorded.push(...rows)));
    await deliver(task, { ...harness.engine, onAttempted });
    await reported.promise;
    expect(JSON.stringify(recorded)).toContain('"status":500');
  });
});
