import type { Query } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import type { Responder } from '../receiver.ts';
import { type Check, ensure, equal, requirementsOf, sleepSeconds } from '../requirement.ts';

const body = { source: 'conformance', uin: '1' };

// If the receiver records a delivery late, the measured interval before the next delivery is too short.
const maxLatenessMs = 1000;

/** Creates a subscriber with the given policy, and publishes an event to the subscriber. */
async function published({ newTopic, newSubscriber, publish }: Deployment, policy: string, respond?: Responder) {
  const topic = await newTopic();
  const { webhook } = await newSubscriber(topic, { policy }, respond);
  return { webhook, messageId: await publish(topic, body) };
}

/** Returns the given response to the first delivery, and 200 to all later deliveries. */
function onlyOnce(respond: Responder): Responder {
  let count = 0;
  return (arrival) => (++count === 1 ? respond(arrival) : 200);
}

const arrivesAgainAfter =
  (respond: Responder): Check =>
  async (deployment) => {
    const { webhook } = await published(deployment, '1,5', onlyOnce(respond));
    await webhook.arrived('Notification', 2);
  };

/** Checks that exactly `count` deliveries arrive. Waits `seconds` seconds for unexpected deliveries. */
const arrivesOnly =
  (count: number, policy: string, respond: Responder, seconds: number): Check =>
  async (deployment) => {
    const { webhook } = await published(deployment, policy, respond);
    await webhook.arrived('Notification', count);
    await sleepSeconds(seconds);
    equal('number of deliveries', webhook.of('Notification').length, count);
  };

/** Checks the policy in the response to a subscribe request. */
const policyIs =
  (policy: string, query: Query = {}): Check =>
  async ({ newTopic, newWebhook, subscribe }) =>
    equal('policy', (await subscribe(await newTopic(), newWebhook().address, query)).policy, policy);

export const deliveries = [
  ...requirementsOf('4.4 Receiver', {
    'after a 200 response, the event is not sent again': arrivesOnly(1, '1,5', () => 200, 3),
    'after any other 2xx response, the event is not sent again': arrivesOnly(1, '1,5', () => 204, 3),
    'after a 500 response, the event is sent again with the same message-id': async (deployment) => {
      const failsOnce = onlyOnce(() => 500);
      const { webhook, messageId } = await published(deployment, '1,5', failsOnce);
      const arrivals = await webhook.arrived('Notification', 2);
      const ids = arrivals.map(({ headers }) => headers['message-id']);
      equal('message ids', ids, [messageId, messageId]);
    },
    'if the receiver does not respond in time, the event is sent again': arrivesAgainAfter(() =>
      sleepSeconds(18).then(() => 200),
    ),
    'after a 503 response with Retry-After, the retry waits longer than the countdown': async (deployment) => {
      const isBusyOnce = onlyOnce(() => ({ status: 503, headers: { 'retry-after': '4' } }));
      const { webhook } = await published(deployment, '1,5', isBusyOnce);
      const [first, second] = await webhook.arrived('Notification', 2);
      const gap = (second?.at ?? 0) - (first?.at ?? 0);
      ensure(gap >= 4000 - maxLatenessMs, `the event was sent again after ${gap / 1000} s`);
    },
    'a redirect is not followed and counts as a failure': arrivesAgainAfter(() => 302),
    'after a 500 response, the confirmation request is sent again, and its token is valid': async (deployment) => {
      const { newTopic, newWebhook, subscribe, confirm } = deployment;
      const webhook = newWebhook();
      webhook.respond = onlyOnce(() => 500);
      await subscribe(await newTopic(), webhook.address, { policy: '1,5' });
      const [, second] = await webhook.arrived('SubscriptionConfirmation', 2);
      equal('status of the confirmation', (await confirm(JSON.parse(String(second?.body)).token)).status, 200);
    },
  }),
  ...requirementsOf('8 Delivery policy', {
    'the default policy is 3600,168, which means hourly retries for 7 days': policyIs('3600,168'),
    'a policy with only a countdown allows 168 retries': policyIs('60,168', { policy: '60' }),
    'a policy consists of the countdown, followed by max': policyIs('3,10', { policy: '3, 10' }),
    'a policy with max -1 allows unlimited retries': policyIs('60,-1', { policy: '60,-1' }),
    'an invalid policy returns 400': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      for (const policy of ['hourly', '0,1', '1,-2', '1,2,3', '1.5,2']) {
        const query = { topic, policy, address: 'https://receiver.example.org/' };
        equal(`status of ${policy}`, (await call('POST', '/v1/subscriptions', { query })).status, 400);
      }
    },
    'no retry is sent before the countdown ends': async (deployment) => {
      const { webhook } = await published(deployment, '4,2', () => 500);
      const arrivals = await webhook.arrived('Notification', 3);
      const gaps = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? 0));
      ensure(
        gaps.every((gap) => gap >= 4000 - maxLatenessMs),
        `the gaps were ${gaps.map((gap) => gap / 1000).join(' s and ')} s instead of at least 4 s`,
      );
    },
    'after max retries, the event is not sent again': arrivesOnly(3, '1,2', () => 500, 5),
    'a policy with max 0 allows only one attempt': arrivesOnly(1, '1,0', () => 500, 4),
  }),
];
