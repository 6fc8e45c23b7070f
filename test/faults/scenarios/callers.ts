import { expect } from 'vitest';
import { handler as redeliver } from '../../../functions/deliveries/redeliver.ts';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { rejects } from '../../harness/fake-sender.ts';
import { batchOf, firstFails, type Scenarios } from './scenario.ts';

/** Returns scenarios for work that a client or an operator starts: confirmation requests and redeliveries. */
export function callers(harness: DeliveryHarness): Scenarios {
  const subscribeTo = async (topicName: string) => {
    const query = `topic=${topicName}&address=http://receiver.example/confirms&policy=60,1`;
    expect(await harness.call(subscribe, { query })).toMatchObject({ status: 200 });
  };
  return {
    'a confirmation': {
      subscriptions: [],
      isConfirmation: true,
      prepare: async ({ name }) => {
        await subscribeTo(name);
        return batchOf(harness, 'http');
      },
    },
    'a confirmation request that fails permanently': {
      subscriptions: [],
      isConfirmation: true,
      answering: () => rejects,
      unreached: 0,
      prepare: async ({ name }) => {
        await subscribeTo(name);
        await harness.work('http');
        harness.pass(76_000);
        await harness.work('retry');
        return batchOf(harness, 'http');
      },
    },
    'a subscribe request that the client repeats because it received no response': {
      subscriptions: [],
      isConfirmation: true,
      prepare: async ({ name }) => ({
        run: () => subscribeTo(name),
        // While the first confirmation request may still be queued, the service ignores a repeated request.
        repeat: () => {
          harness.pass(11 * 60_000);
          return subscribeTo(name);
        },
      }),
    },
    'a sweep that finds a lost confirmation request': {
      subscriptions: [],
      isConfirmation: true,
      prepare: async ({ name }) => {
        await subscribeTo(name);
        await harness.purge();
        harness.pass(10 * 60_000);
        return { run: () => harness.sweep() };
      },
    },
    'a redelivery that an operator repeats after a failure': {
      subscriptions: [{ maxRetries: 0 }],
      answering: () => firstFails,
      prepare: async ({ name }) => {
        await harness.publish(name);
        await harness.work('fanOut', 'http');
        const run = async () => {
          const { faults = 0 } = await redeliver({ since: '2024-03-01T00:00:00Z' });
          if (faults !== 0) throw new Error(`${faults} deliveries were not redelivered`);
        };
        return { run, repeat: run };
      },
    },
  };
}
