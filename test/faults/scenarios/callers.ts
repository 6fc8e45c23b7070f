import { expect } from 'vitest';
import { handler as redeliver } from '../../../functions/deliveries/redeliver.ts';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { refuses } from '../../harness/fake-sender.ts';
import type { Scenarios } from './scenario.ts';
import { batchOf, firstFails } from './steps.ts';

/** What a subscriber and an operator begin: confirmations and redeliveries. */
export function callers(harness: DeliveryHarness): Scenarios {
  const subscribeTo = async (topicName: string) => {
    const query = `topic=${topicName}&address=http://receiver.example/confirms&policy=60,1`;
    expect(await harness.call(subscribe, { query })).toMatchObject({ status: 200 });
  };
  return {
    'a confirmation': {
      who: [],
      isConfirmation: true,
      lead: async ({ name }) => {
        await subscribeTo(name);
        return batchOf(harness, 'http');
      },
    },
    'a confirmation that fails for good': {
      who: [],
      isConfirmation: true,
      answering: () => refuses,
      unreached: 0,
      lead: async ({ name }) => {
        await subscribeTo(name);
        await harness.work('http');
        harness.pass(76_000);
        await harness.work('retry');
        return batchOf(harness, 'http');
      },
    },
    'a subscriber who subscribes, and does it again when there is no answer': {
      who: [],
      isConfirmation: true,
      lead: async ({ name }) => ({
        run: () => subscribeTo(name),
        // Before that a second request is taken for impatience: the confirmation may be on its way.
        again: () => {
          harness.pass(11 * 60_000);
          return subscribeTo(name);
        },
      }),
    },
    'the sweeper, which finds a lost confirmation': {
      who: [],
      isConfirmation: true,
      lead: async ({ name }) => {
        await subscribeTo(name);
        await harness.purge();
        harness.pass(10 * 60_000);
        return { run: () => harness.sweep() };
      },
    },
    'a redelivery by an operator, who does it again when it did not end': {
      who: [{ maxRetries: 0 }],
      answering: () => firstFails,
      lead: async ({ name }) => {
        await harness.publish(name);
        await harness.work('fanOut', 'http');
        const run = async () => {
          const { faults = 0 } = await redeliver({ since: '2024-03-01T00:00:00Z' });
          if (faults !== 0) throw new Error(`${faults} were not redelivered`);
        };
        return { run, again: run };
      },
    },
  };
}
