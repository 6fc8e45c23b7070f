import { expect, it } from 'vitest';
import { engineOf } from '../../shared/delivery/engine.ts';

const settings = {
  ...{ baseUrl: 'https://registry.example', deliveryFormat: 'raw', ledgerDays: 2 },
  ...{ hopSeconds: 900, pauseAfterDays: 3 },
} as const;

it('gives the engine the times of its settings, in milliseconds', () => {
  const given = { subscriptions: {}, deliveries: {}, retry: {}, now: () => 1, newId: () => 'id', jitter: () => 0.5 };
  const own = { queue: {}, channel: {}, onFailed: () => {} };
  const engine = engineOf({ ...given, settings } as never, { ...own, leaseSeconds: 30 } as never);
  expect(engine.leaseMs).toBe(30_000);
  expect(engine.ledgerMs).toBe(2 * 24 * 3600 * 1000);
  expect(engine.pauseAfterMs).toBe(3 * 24 * 3600 * 1000);
  expect(engine.hopSeconds).toBe(900);
  expect(engine).toMatchObject({ ...given, ...own, compose: settings });
});

it('keeps bodies for one engine only, which is one invocation', () => {
  const [one, other] = [1, 2].map(() => engineOf({ settings } as never, {} as never));
  expect(one?.bodies.size).toBe(0);
  expect(one?.bodies).not.toBe(other?.bodies);
});
