import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { rejects } from '../../harness/fake-sender.ts';
import { failing, hiding } from '../../harness/interference.ts';
import { batchOf, firstFails, type Scenarios, untilRetriesAreDue } from './scenario.ts';

/**
 * Returns scenarios for the work that the service does in the background: fan-out, waits, reconciliations and sweeps.
 */
export const background = (harness: DeliveryHarness): Scenarios => ({
  'fan-out to http and email': {
    subscriptions: [{}, {}, { protocol: 'email', address: 'a@example.org' }],
    prepare: async ({ name }) => {
      await harness.publish(name);
      return batchOf(harness, 'fanOut');
    },
  },
  "fan-out that writes a message's missing row": {
    subscriptions: [{}],
    prepare: async ({ name }) => {
      await harness.interfereDuring(failing('PutItem'), () => harness.publish(name));
      return batchOf(harness, 'fanOut');
    },
  },
  'the reconciliation of a message that was lost from the queue': {
    subscriptions: [{}, {}],
    prepare: async ({ name }) => {
      await harness.publish(name);
      await harness.purge();
      harness.pass(11 * 60_000);
      await harness.sweep();
      return batchOf(harness, 'fanOut');
    },
  },
  'a delivery to a subscription that fan-out missed and reconciliation found': {
    subscriptions: [{}, {}],
    prepare: async ({ name }, [missed]) => {
      await harness.interfereDuring(hiding(missed), () => harness.publishAndWork(name));
      harness.pass(11 * 60_000);
      await harness.sweep();
      await harness.work('fanOut');
      return batchOf(harness, 'http');
    },
  },
  'a wait': {
    subscriptions: [{ countdownSeconds: 3600 }],
    answering: () => firstFails,
    prepare: async ({ name }) => {
      await harness.publish(name);
      await harness.work('fanOut', 'http');
      harness.pass(900_000);
      return batchOf(harness, 'retry');
    },
  },
  'a sweep that finds a lost retry message and a lost publication': {
    subscriptions: [{}],
    answering: () => firstFails,
    prepare: async ({ name }) => {
      await harness.publish(name);
      await harness.work('fanOut', 'http');
      await harness.publish(name);
      await harness.purge();
      harness.pass(20 * 60_000);
      return { run: () => harness.sweep() };
    },
  },
  'a retry for a subscription that was paused after the first attempt': {
    subscriptions: [{}],
    answering: () => rejects,
    unreached: 0,
    prepare: async ({ name }, [person]) => {
      await harness.publish(name);
      await untilRetriesAreDue(harness);
      await harness.subscriptionStore().recordHealth(person as StoredSubscription, { pause: 'bounce' });
      return batchOf(harness, 'http');
    },
  },
});
