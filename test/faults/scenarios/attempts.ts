import type { DeliveryHarness } from '../../harness/delivery-harness.ts';
import { type Answering, refuses } from '../../harness/fake-sender.ts';
import type { Scenario, Scenarios } from './scenario.ts';
import { batchOf, firstFails, toRetry } from './steps.ts';

const longBody = JSON.stringify({ source: 'x'.repeat(9000) });
const gone: Answering = () => ({ class: 'http', status: 410 });

/** First attempts and retries, each up to the batch in which it is made. */
export function attempts(harness: DeliveryHarness): Scenarios {
  const firstAttempt: Scenario['lead'] = async ({ name }) => {
    await harness.publish(name);
    await harness.work('fanOut');
    return batchOf(harness, 'http');
  };
  const retry: Scenario['lead'] = async ({ name }) => {
    await harness.publish(name);
    await toRetry(harness);
    return batchOf(harness, 'http');
  };
  return {
    'a first attempt to three, of whom one fails and one has been failing': {
      who: [{}, {}, { isFailing: true }],
      answering:
        ([, ill]) =>
        (post, tries) =>
          post.uuid === ill?.uuid ? firstFails(post, tries) : { class: 'delivered' },
      lead: firstAttempt,
    },
    'a first attempt with a long body': {
      who: [{}],
      lead: async ({ name }) => {
        await harness.publish(name, longBody);
        await harness.work('fanOut');
        return batchOf(harness, 'http');
      },
    },
    'the first attempt at one that was moved': {
      who: [{ isFailing: true }, {}],
      lead: async (topic, people) => {
        await firstAttempt(topic, people);
        await harness.workOnce('http');
        return batchOf(harness, 'http');
      },
    },
    'a retry that delivers': { who: [{}], answering: () => firstFails, lead: retry },
    'a retry that fails, with retries left': {
      who: [{}],
      answering: () => (post, tries) => (tries < 2 ? refuses(post, tries) : { class: 'delivered' }),
      lead: retry,
    },
    'the last retry, which fails for good': {
      who: [{ maxRetries: 1 }],
      answering: () => refuses,
      unreached: 0,
      lead: retry,
    },
    'an attempt at a receiver that is gone, beside one that fails': {
      who: [{}, {}],
      answering:
        ([ill]) =>
        (post, tries) =>
          post.uuid === ill?.uuid ? gone(post, tries) : firstFails(post, tries),
      unreached: 0,
      lead: firstAttempt,
    },
  };
}
