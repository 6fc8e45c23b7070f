import { expect, it } from 'vitest';
import { deliveryContext } from '../../shared/delivery/delivery-context.ts';
import { timeLeftMs, withinInvocation } from '../../shared/lambda/time-left.ts';

const settings = {
  ...{ baseUrl: 'https://registry.example', deliveryFormat: 'raw', ledgerDays: 2 },
  ...{ hopSeconds: 900, pauseAfterDays: 3 },
} as const;
const queues = { retry: {} };
const messages = { bodyOf: async () => undefined };

it('gives the engine the times of its settings, in milliseconds', () => {
  const given = { ledger: {}, now: () => 1, newId: () => 'id', jitter: () => 0.5 };
  const own = { sender: {}, onFailed: () => {}, onAttempted: () => {} };
  const engine = deliveryContext(
    { ...given, queues, messages, settings } as never,
    { ...own, leaseSeconds: 30 } as never,
  );
  expect(engine.leaseMs).toBe(30_000);
  expect(engine.ledgerDays).toBe(2);
  expect(engine.pauseAfterMs).toBe(3 * 24 * 3600 * 1000);
  expect(engine.hopSeconds).toBe(900);
  expect(engine).toMatchObject({ ...given, ...own, compose: settings });
});

it('knows the time of its invocation, of which a part may be given to what it calls', () => {
  const engine = withinInvocation(
    () => 30_000,
    () => deliveryContext({ queues, messages, settings } as never, {} as never),
  );
  const left = withinInvocation(
    () => engine.timeLeftMs() - 20_000,
    () => [timeLeftMs(), engine.timeLeftMs()],
  );
  expect(left).toEqual([10_000, 30_000]);
  expect(deliveryContext({ queues, messages, settings } as never, {} as never).timeLeftMs()).toBe(
    Number.POSITIVE_INFINITY,
  );
});

it('keeps bodies for as long as its stores are there, from one invocation to the next', async () => {
  const asked: string[] = [];
  const bodyOf = async (bodyKey: string) => {
    asked.push(bodyKey);
    return 'body';
  };
  const stores = { bodyOf };
  for (let invocation = 0; invocation < 3; invocation += 1) {
    const engine = deliveryContext({ queues, settings, messages: stores } as never, {} as never);
    expect(await engine.bodyOf('k')).toBe('body');
  }
  expect(asked).toEqual(['k']);
});

it('reads the subscriptions of tasks that begin together at once, each one time', async () => {
  const asked: string[][] = [];
  const getMany = async (uuids: string[]) => {
    asked.push(uuids);
    return uuids.filter((uuid) => uuid !== 'gone').map((uuid) => ({ uuid }));
  };
  const { subscriptions } = deliveryContext(
    { subscriptions: { getMany }, queues, messages, settings } as never,
    {} as never,
  );
  const found = await Promise.all([['a', 'b'], ['gone'], ['b', 'c']].map((uuids) => subscriptions.getMany(uuids)));
  expect(found).toEqual([[{ uuid: 'a' }, { uuid: 'b' }], [], [{ uuid: 'b' }, { uuid: 'c' }]]);
  expect(asked).toEqual([['a', 'b', 'gone', 'c']]);
  await subscriptions.getMany(['a']);
  expect(asked).toHaveLength(2);
});

it('reads alone for each task where the shared reading fails, so that the fault of one is not the others’', async () => {
  const getMany = async (uuids: string[]) => {
    if (uuids.includes('bad')) throw new Error('not read');
    return uuids.map((uuid) => ({ uuid }));
  };
  const { subscriptions } = deliveryContext(
    { subscriptions: { getMany }, queues, messages, settings } as never,
    {} as never,
  );
  const [good, bad] = await Promise.allSettled([['a'], ['bad']].map((uuids) => subscriptions.getMany(uuids)));
  expect(good).toEqual({ status: 'fulfilled', value: [{ uuid: 'a' }] });
  expect(bad).toMatchObject({ status: 'rejected', reason: new Error('not read') });
});
