import { ensure, equal, requirementsOf, sleepSeconds } from '../requirement.ts';

const body = { source: 'conformance', uin: '1' };

// If the receiver records a delivery late, the measured gap to the next delivery is too short.
const maxLatenessMs = 1000;

export const deliveries = [
  ...requirementsOf('4.4 Receiver', {
    'after a 200 response, the event is not sent again': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic, { policy: '1,5' });
      await publish(topic, body);
      await webhook.arrived('Notification');
      await sleepSeconds(3);
      equal('number of deliveries', webhook.of('Notification').length, 1);
    },
    'after any other 2xx response, the event is not sent again': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic, { policy: '1,5' }, () => 204);
      await publish(topic, body);
      await webhook.arrived('Notification');
      await sleepSeconds(3);
      equal('number of deliveries', webhook.of('Notification').length, 1);
    },
    'after a 500 response, the event is sent again with the same message-id': async (deployment) => {
      const { newTopic, newSubscriber, publish } = deployment;
      const topic = await newTopic();
      let count = 0;
      const { webhook } = await newSubscriber(topic, { policy: '1,5' }, () => (++count === 1 ? 500 : 200));
      const messageId = await publish(topic, body);
      const arrivals = await webhook.arrived('Notification', 2);
      equal(
        'message ids',
        arrivals.map(({ headers }) => headers['message-id']),
        [messageId, messageId],
      );
    },
    'if the receiver does not respond in time, the event is sent again': async ({
      newTopic,
      newSubscriber,
      publish,
    }) => {
      const topic = await newTopic();
      let count = 0;
      const late = async () => (++count === 1 ? sleepSeconds(18).then(() => 200) : 200);
      const { webhook } = await newSubscriber(topic, { policy: '1,5' }, late);
      await publish(topic, body);
      await webhook.arrived('Notification', 2);
    },
    'after a 503 response with Retry-After, the retry waits longer than the countdown': async (deployment) => {
      const { newTopic, newSubscriber, publish } = deployment;
      const topic = await newTopic();
      let count = 0;
      const busy = { status: 503, headers: { 'retry-after': '4' } };
      const { webhook } = await newSubscriber(topic, { policy: '1,5' }, () => (++count === 1 ? busy : 200));
      await publish(topic, body);
      const [first, second] = await webhook.arrived('Notification', 2);
      const gap = (second?.at ?? 0) - (first?.at ?? 0);
      ensure(gap >= 4000 - maxLatenessMs, `the event was sent again after ${gap / 1000} s`);
    },
    'a redirect is not followed and counts as a failure': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      let count = 0;
      const { webhook } = await newSubscriber(topic, { policy: '1,5' }, () => (++count === 1 ? 302 : 200));
      await publish(topic, body);
      await webhook.arrived('Notification', 2);
    },
    'after a 500 response, the confirmation is sent again and its token is valid': async (deployment) => {
      const { newTopic, newWebhook, subscribe, confirm } = deployment;
      const webhook = newWebhook();
      let count = 0;
      webhook.respond = () => (++count === 1 ? 500 : 200);
      await subscribe(await newTopic(), webhook.address, { policy: '1,5' });
      const [, second] = await webhook.arrived('SubscriptionConfirmation', 2);
      equal('status of the confirmation', (await confirm(JSON.parse(String(second?.body)).token)).status, 200);
    },
  }),
  ...requirementsOf('8 Delivery policy', {
    'the default policy is 3600,168, which means hourly retries for 7 days': async ({
      newTopic,
      newWebhook,
      subscribe,
    }) => {
      equal('policy', (await subscribe(await newTopic(), newWebhook().address)).policy, '3600,168');
    },
    'a policy with only a countdown allows 168 retries': async ({ newTopic, newWebhook, subscribe }) => {
      equal('policy', (await subscribe(await newTopic(), newWebhook().address, { policy: '60' })).policy, '60,168');
    },
    'a policy lists the countdown first and max second': async ({ newTopic, newWebhook, subscribe }) => {
      equal('policy', (await subscribe(await newTopic(), newWebhook().address, { policy: '3, 10' })).policy, '3,10');
    },
    'a policy with max -1 allows unlimited retries': async ({ newTopic, newWebhook, subscribe }) => {
      equal('policy', (await subscribe(await newTopic(), newWebhook().address, { policy: '60,-1' })).policy, '60,-1');
    },
    'an invalid policy returns 400': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      for (const policy of ['hourly', '0,1', '1,-2', '1,2,3', '1.5,2']) {
        const query = { topic, policy, address: 'https://receiver.example.org/' };
        equal(`status of ${policy}`, (await call('POST', '/v1/subscriptions', { query })).status, 400);
      }
    },
    'no retry is sent before the countdown ends': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic, { policy: '4,2' }, () => 500);
      await publish(topic, body);
      const arrivals = await webhook.arrived('Notification', 3);
      const gaps = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? 0));
      ensure(
        gaps.every((gap) => gap >= 4000 - maxLatenessMs),
        `the gaps were ${gaps.map((gap) => gap / 1000).join(' s and ')} s instead of at least 4 s`,
      );
    },
    'after max retries, the event is not sent again': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic, { policy: '1,2' }, () => 500);
      await publish(topic, body);
      await webhook.arrived('Notification', 3);
      await sleepSeconds(5);
      equal('attempts', webhook.of('Notification').length, 3);
    },
    'a policy with max 0 allows only one attempt': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic, { policy: '1,0' }, () => 500);
      await publish(topic, body);
      await webhook.arrived('Notification');
      await sleepSeconds(4);
      equal('attempts', webhook.of('Notification').length, 1);
    },
  }),
];
