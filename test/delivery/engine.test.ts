import { expect, it } from 'vitest';
import { engineOf } from '../../shared/delivery/engine.ts';

const settings = {
  ...{ baseUrl: 'https://registry.example', deliveryFormat: 'raw', ledgerDays: 2 },
  ...{ hopSeconds: 900, pauseAfterDays: 5 },
} as const;

it('gives the engine the times of its settings, in milliseconds', () => {
  const tools = { subscriptions: {}, deliveries: {}, retry: {}, now: () => 0, settings };
  const engine = engineOf(tools as never, { leaseSeconds: 30 } as never);
  expect(engine.leaseMs).toBe(30_000);
  expect(engine.ledgerMs).toBe(2 * 24 * 3600 * 1000);
  expect(engine.hopSeconds).toBe(900);
  expect(engine.pauseAfterMs).toBe(5 * 24 * 3600 * 1000);
});
