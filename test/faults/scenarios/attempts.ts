import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { type ChooseOutcome, rejects } from '../../harness/fake-sender.ts';
import { batchOf, firstFails, type Scenario, type Scenarios, untilRetriesAreDue } from './scenario.ts';

const longBody = JSON.stringify({ source: 'x'.repeat(9000) });
const gone: ChooseOutcome = () => ({ class: 'http', status: 410 });

/** Returns scenarios in which a fault occurs during a batch of first attempts or retries. */
export function attempts(harness: DeliveryHarness): Scenarios {
  const firstAttempt: Scenario['prepare'] = async ({ name }) => {
    await harness.publish(name);
    await harness.work('fanOut');
    return batchOf(harness, 'http');
  };
  const retry: Scenario['prepare'] = async ({ name }) => {
    await harness.publish(name);
    await untilRetriesAreDue(harness);
    return batchOf(harness, 'http');
  };
  return {
    'first attempts for three subscriptions: one healthy, one that starts to fail, and one already failing': {
      subscriptions: [{}, {}, { isFailing: true }],
      answering:
        ([, failing]) =>
        (post, tries) =>
          post.uuid === failing?.uuid ? firstFails(post, tries) : { class: 'delivered' },
      prepare: firstAttempt,
    },
    'a first attempt to deliver a long body': {
      subscriptions: [{}],
      prepare: async ({ name }) => {
        await harness.publish(name, longBody);
        await harness.work('fanOut');
        return batchOf(harness, 'http');
      },
    },
    'a deferred first attempt': {
      subscriptions: [{ isFailing: true }, {}],
      prepare: async (topic, people) => {
        await firstAttempt(topic, people);
        await harness.workOnce('http');
        return batchOf(harness, 'http');
      },
    },
    'a retry that succeeds': { subscriptions: [{}], answering: () => firstFails, prepare: retry },
    'a retry that fails while further retries remain': {
      subscriptions: [{}],
      answering: () => (post, tries) => (tries < 2 ? rejects(post, tries) : { class: 'delivered' }),
      prepare: retry,
    },
    'a delivery that fails permanently at its last retry': {
      subscriptions: [{ maxRetries: 1 }],
      answering: () => rejects,
      unreached: 0,
      prepare: retry,
    },
    'attempts to deliver to two receivers, one of which returns 410 while the other fails': {
      subscriptions: [{}, {}],
      answering:
        ([leaving]) =>
        (post, tries) =>
          post.uuid === leaving?.uuid ? gone(post, tries) : firstFails(post, tries),
      unreached: 0,
      prepare: firstAttempt,
    },
  };
}
