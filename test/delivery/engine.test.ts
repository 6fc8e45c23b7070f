import { expect, it } from 'vitest';
import { deliverSlowly, deliveryTimes } from '../../shared/contract/workers.ts';
import { engineOf } from '../../shared/delivery/engine.ts';
import { slowPace } from '../../shared/delivery/http-engine.ts';

const settings = {
  ...{ baseUrl: 'https://registry.example', deliveryFormat: 'raw', ledgerDays: 2 },
  ...{ hopSeconds: 900, pauseAfterDays: 3 },
} as const;

it('gives the engine the times of its settings, in milliseconds', () => {
  const given = { deliveries: {}, now: () => 1, newId: () => 'id', jitter: () => 0.5 };
  const own = { channel: {}, onFailed: () => {} };
  const engine = engineOf({ ...given, retry: {}, settings } as never, { ...own, queue: {}, leaseSeconds: 30 } as never);
  expect(engine.leaseMs).toBe(30_000);
  expect(engine.ledgerMs).toBe(2 * 24 * 3600 * 1000);
  expect(engine.pauseAfterMs).toBe(3 * 24 * 3600 * 1000);
  expect(engine.hopSeconds).toBe(900);
  expect(engine).toMatchObject({ ...given, ...own, compose: settings });
});

it('keeps bodies for one engine only, which is one invocation', () => {
  const [one, other] = [1, 2].map(() => engineOf({ retry: {}, settings } as never, { queue: {} } as never));
  expect(one?.bodies.size).toBe(0);
  expect(one?.bodies).not.toBe(other?.bodies);
});

it('reads the subscriptions of tasks that begin together at once, each one time', async () => {
  const asked: string[][] = [];
  const getMany = async (uuids: string[]) => {
    asked.push(uuids);
    return uuids.filter((uuid) => uuid !== 'gone').map((uuid) => ({ uuid }));
  };
  const { subscriptions } = engineOf(
    { subscriptions: { getMany }, retry: {}, settings } as never,
    { queue: {} } as never,
  );
  const found = await Promise.all([['a', 'b'], ['gone'], ['b', 'c']].map((uuids) => subscriptions.getMany(uuids)));
  expect(found).toEqual([[{ uuid: 'a' }, { uuid: 'b' }], [], [{ uuid: 'b' }, { uuid: 'c' }]]);
  expect(asked).toEqual([['a', 'b', 'gone', 'c']]);
  await subscriptions.getMany(['a']);
  expect(asked).toHaveLength(2);
});

it("sends what fails at about the same time together; where that fails, each alone, so that one is not the other's harm", async () => {
  const sent: string[][] = [];
  const sendMany = async (sendings: string[]) => {
    sent.push(sendings);
    if (sendings.includes('bad')) throw new Error('SQS refused 1 messages');
  };
  const engine = engineOf({ retry: { sendMany }, settings } as never, { queue: { sendMany } } as never);
  for (const { sendMany: send } of [engine.retry, engine.queue]) {
    const go = async (...all: string[][]) =>
      (await Promise.allSettled(all.map((sendings) => send(sendings as never)))).map(({ status }) => status);
    expect(await go(['a', 'b'], ['c'])).toEqual(['fulfilled', 'fulfilled']);
    expect(sent.splice(0)).toEqual([['a', 'b', 'c']]);
    expect(await go(['d'], ['bad'])).toEqual(['fulfilled', 'rejected']);
    expect(sent.splice(0)).toEqual([['d', 'bad'], ['d'], ['bad']]);
    expect(await go(['bad'])).toEqual(['rejected']);
    expect(sent.splice(0)).toEqual([['bad']]);
  }
});

it('begins the tasks of a batch one after the other where its pace says so', async () => {
  const begunAfter = async (pace: object): Promise<number[]> => {
    const { turn } = engineOf({ retry: {}, settings } as never, { queue: {}, ...pace } as never);
    const asked = performance.now();
    return Promise.all([1, 2, 3].map(() => turn().then(() => performance.now() - asked)));
  };
  const [, second = 0, third = 0] = await begunAfter({ pace: { apartMs: 100, gatherMs: 0 } });
  expect(second).toBeGreaterThan(95);
  expect(third).toBeGreaterThan(195);
  expect(Math.max(...(await begunAfter({})))).toBeLessThan(95);
});

it('has begun the last of a large batch, and sent what failed, before the queue shows it again', () => {
  const { leaseSeconds, visibilitySeconds } = deliveryTimes(1);
  const latestMs = deliverSlowly.batchSize * slowPace.apartMs + slowPace.gatherMs;
  expect(latestMs).toBeLessThan((visibilitySeconds - leaseSeconds) * 1000);
});
