import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { refuses } from '../../harness/fake-sender.ts';
import { hiding, refusing } from '../../harness/interference.ts';
import type { Scenarios } from './scenario.ts';
import { batchOf, firstFails, toRetry } from './steps.ts';

/** Fan-out, waits, audits and sweeps: what goes on between a publication and its attempts. */
export const background = (harness: DeliveryHarness): Scenarios => ({
  'fan-out to http and e-mail': {
    who: [{}, {}, { protocol: 'email', address: 'a@example.org' }],
    lead: async ({ name }) => {
      await harness.publish(name);
      return batchOf(harness, 'fanOut');
    },
  },
  'fan-out that has to open the ledger itself': {
    who: [{}],
    lead: async ({ name }) => {
      harness.interfere(refusing('PutItem'));
      await harness.publish(name);
      harness.interfere({});
      return batchOf(harness, 'fanOut');
    },
  },
  'the audit of a message that the queue lost': {
    who: [{}, {}],
    lead: async ({ name }) => {
      await harness.publish(name);
      await harness.purge();
      harness.pass(11 * 60_000);
      await harness.sweep();
      return batchOf(harness, 'fanOut');
    },
  },
  'a task in which the audit has found one whom fan-out missed': {
    who: [{}, {}],
    lead: async ({ name }, [missed]) => {
      harness.interfere(hiding(missed));
      await harness.publish(name);
      await harness.work();
      harness.interfere({});
      harness.pass(11 * 60_000);
      await harness.sweep();
      await harness.work('fanOut');
      return batchOf(harness, 'http');
    },
  },
  'a wait': {
    who: [{ countdownSeconds: 3600 }],
    answering: () => firstFails,
    lead: async ({ name }) => {
      await harness.publish(name);
      await harness.work('fanOut', 'http');
      harness.pass(900_000);
      return batchOf(harness, 'retry');
    },
  },
  'the sweeper, which finds a lost timer and a lost publication': {
    who: [{}],
    answering: () => firstFails,
    lead: async ({ name }) => {
      await harness.publish(name);
      await harness.work('fanOut', 'http');
      await harness.publish(name);
      await harness.purge();
      harness.pass(20 * 60_000);
      return { run: () => harness.sweep() };
    },
  },
  'a retry to one who was paused meanwhile': {
    who: [{}],
    answering: () => refuses,
    unreached: 0,
    lead: async ({ name }, [person]) => {
      await harness.publish(name);
      await toRetry(harness);
      await harness.subscriptionStore().noteHealth(person as StoredSubscription, { pause: 'bounce' });
      return batchOf(harness, 'http');
    },
  },
});
