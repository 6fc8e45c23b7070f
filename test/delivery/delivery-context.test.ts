import { expect, it } from 'vitest';
import { deliveryContext } from '../../shared/delivery/delivery-context.ts';
import { timeLeftMs, withinInvocation } from '../../shared/lambda/time-left.ts';

const settings = { deliveryDays: 2, pauseAfterDays: 3 };
const tools = { queues: { retry: {} }, messages: { getBody: async () => undefined }, settings };
const contextOf = (given: object = {}, own: object = {}) =>
  deliveryContext({ ...tools, ...given } as never, own as never);

it('the delivery context converts the times in its settings to milliseconds', () => {
  const given = { deliveries: {}, now: () => 1, newId: () => 'id', jitter: () => 0.5 };
  const own = { sender: {}, onFailed: () => {}, onAttempted: () => {} };
  const engine = contextOf(given, { ...own, leaseSeconds: 30 });
  expect(engine.leaseMs).toBe(30_000);
  expect(engine).toMatchObject({ ...given, ...own, settings });
});

it('the delivery context returns the time left in its own invocation, even within a shorter time limit', () => {
  const engine = withinInvocation(
    () => 30_000,
    () => contextOf(),
  );
  const left = withinInvocation(
    () => engine.timeLeftMs() - 20_000,
    () => [timeLeftMs(), engine.timeLeftMs()],
  );
  expect(left).toEqual([10_000, 30_000]);
  expect(contextOf().timeLeftMs()).toBe(Number.POSITIVE_INFINITY);
});

it('the delivery context combines subscription reads that start at the same time', async () => {
  const reads: string[][] = [];
  const getMany = async (uuids: string[]) => {
    reads.push(uuids);
    return uuids.filter((uuid) => uuid !== 'gone').map((uuid) => ({ uuid }));
  };
  const { subscriptions } = contextOf({ subscriptions: { getMany } });
  const found = await Promise.all([['a', 'b'], ['gone'], ['b', 'c']].map((uuids) => subscriptions.getMany(uuids)));
  expect(found).toEqual([[{ uuid: 'a' }, { uuid: 'b' }], [], [{ uuid: 'b' }, { uuid: 'c' }]]);
  expect(reads).toEqual([['a', 'b', 'gone', 'c']]);
  await subscriptions.getMany(['a']);
  expect(reads).toHaveLength(2);
});

it('if a combined read fails, the delivery context repeats the read for each task', async () => {
  const getMany = async (uuids: string[]) => {
    if (uuids.includes('bad')) throw new Error('not read');
    return uuids.map((uuid) => ({ uuid }));
  };
  const { subscriptions } = contextOf({ subscriptions: { getMany } });
  const [good, bad] = await Promise.allSettled([['a'], ['bad']].map((uuids) => subscriptions.getMany(uuids)));
  expect(good).toEqual({ status: 'fulfilled', value: [{ uuid: 'a' }] });
  expect(bad).toMatchObject({ status: 'rejected', reason: new Error('not read') });
});
