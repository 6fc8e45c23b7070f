import { expectError, expectErrorNaming, expectSuccess } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { ensure, equal, requirementsOf, sleepSeconds, Violation } from '../requirement.ts';

const event = { source: 'conformance', uin: '1' };

/** Repeats a read until it returns the expected value, because outcomes are recorded after the delivery. */
async function until<Value>(read: () => Promise<Value>, isWanted: (value: Value) => boolean, seconds = 20) {
  for (let tries = 0; tries < 5 * seconds; tries++) {
    const value = await read();
    if (isWanted(value)) return value;
    await sleepSeconds(0.2);
  }
  throw new Violation(`the reads did not return the expected value within ${seconds} s`);
}

/** Repeats a request until it is rejected. If a clock hour starts during the check, up to 20 requests are accepted. */
async function expectTenPerHour(
  { newTopic, newSubscriber, call }: Deployment,
  what: 'test' | 'recover',
): Promise<void> {
  const { subscription } = await newSubscriber(await newTopic());
  const path = `/v1/subscriptions/${subscription.uuid}/${what}`;
  for (let accepted = 0; accepted <= 20; accepted++) {
    const response = await call('POST', path);
    if (response.status < 300) continue;
    equal('code', expectError(response, 429).code, 1431);
    const seconds = response.headers.get('retry-after');
    ensure(/^\d+$/.test(seconds ?? '') && Number(seconds) <= 3600, `Retry-After is ${seconds}`);
    ensure(accepted >= 10, `request ${accepted + 1} was rejected`);
    return;
  }
  throw new Violation('21 requests were accepted');
}

export const subscriber = [
  ...requirementsOf('client guide: subscribing', {
    'a subject filter delivers only the matching events': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic, { subject: ['death', 'marriage'] });
      await publish(topic, event, { query: { subject: 'liveBirth' } });
      const messageId = await publish(topic, event, { query: { subject: 'death' } });
      await webhook.arrived('Notification');
      await sleepSeconds(1);
      equal(
        'received messages',
        webhook.of('Notification').map(({ headers }) => headers['message-id']),
        [messageId],
      );
    },
    'the subscription status contains the state and the number of waiting deliveries': async ({
      newTopic,
      newSubscriber,
      call,
    }) => {
      const { subscription } = await newSubscriber(await newTopic());
      const status = expectSuccess(await call('GET', `/v1/subscriptions/${subscription.uuid}`));
      equal('state and waiting', [status.state, status.waiting], ['active', 0]);
    },
    'before confirmation, the state is pending, the status shows why a request failed, and subscribing again sends a new request immediately':
      async ({ newTopic, newWebhook, subscribe, call }) => {
        const topic = await newTopic();
        const webhook = newWebhook();
        webhook.respond = () => 404;
        const { uuid } = await subscribe(topic, webhook.address);
        const path = `/v1/subscriptions/${uuid}`;
        const read = async () => expectSuccess(await call('GET', path));
        const status = await until(read, ({ stateReason }) => stateReason === 'unreachable');
        const { state, lastFailure, attempts, nextAttemptAt } = status;
        equal('state, class and attempts', [state, lastFailure.class, attempts.length], ['pending', 'http', 1]);
        ensure(nextAttemptAt > lastFailure.at, `the next attempt is at ${nextAttemptAt}`);
        const [delivery] = expectSuccess(await call('GET', `${path}/deliveries`));
        equal('the delivery', [delivery.type, delivery.attempts], ['SubscriptionConfirmation', attempts]);
        await subscribe(topic, webhook.address);
        await webhook.arrived('SubscriptionConfirmation', 2);
      },
    'a client can subscribe to subscription-status, but not create, delete or publish to it': async ({
      newWebhook,
      call,
    }) => {
      const topic = 'subscription-status';
      const webhook = newWebhook();
      const { uuid } = expectSuccess(
        await call('POST', '/v1/subscriptions', { query: { topic, address: webhook.address } }),
      );
      const [confirmation] = await webhook.arrived('SubscriptionConfirmation');
      equal('topic', JSON.parse(String(confirmation?.body)).topic, topic);
      const topics: { uuid: string; name: string }[] = expectSuccess(await call('GET', '/v1/topics'));
      const listed = topics.find(({ name }) => name === topic)?.uuid ?? '';
      expectSuccess(await call('DELETE', `/v1/subscriptions/${uuid}`), 204);
      expectErrorNaming(await call('POST', '/v1/topics', { query: { name: topic } }), 400, 'name');
      expectErrorNaming(await call('DELETE', `/v1/topics/${listed}`), 400, 'uuid');
      expectErrorNaming(await call('POST', `/v1/topics/${topic}/publish`, { body: event }), 400, 'uuid');
    },
    'PATCH changes policy and filter': async ({ newTopic, newSubscriber, call }) => {
      const { subscription } = await newSubscriber(await newTopic());
      const body = { policy: '7,3', subjects: ['death'] };
      const changed = expectSuccess(await call('PATCH', `/v1/subscriptions/${subscription.uuid}`, { body }));
      equal('policy and subjects', [changed.policy, changed.subjects], ['7,3', ['death']]);
    },
    'a test event is delivered to its subscription and has the subject `test`': async (deployment) => {
      const { newTopic, newSubscriber, call } = deployment;
      const { webhook, subscription } = await newSubscriber(await newTopic());
      expectSuccess(await call('POST', `/v1/subscriptions/${subscription.uuid}/test`));
      const [arrival] = await webhook.arrived('Notification');
      equal('subject', arrival?.headers.subject, 'test');
    },
    'clients can send ten test events per clock hour, and then get 429 with Retry-After': (deployment) =>
      expectTenPerHour(deployment, 'test'),
    'a filter has at most 20 subjects and 1,000 characters': async ({ newTopic, call }) => {
      const { name } = await newTopic();
      const long = Array.from({ length: 5 }, (_, index) => `${index}${'x'.repeat(200)}`);
      for (const subject of [Array.from({ length: 21 }, (_, index) => `conformance ${index}`), long]) {
        const query = { topic: name, address: 'https://receiver.example.org/', subject };
        expectErrorNaming(await call('POST', '/v1/subscriptions', { query }), 400, 'subject');
      }
    },
    'a 410 response pauses the subscription and notifies the client': async (deployment) => {
      const { newTopic, newSubscriber, publish, call } = deployment;
      const status = { uuid: '', name: 'subscription-status' };
      const { webhook: watcher } = await newSubscriber(status, { deliveryFormat: 'raw' });
      const topic = await newTopic();
      const { webhook, subscription } = await newSubscriber(topic, { policy: '1,5' }, () => 410);
      await publish(topic, event);
      await webhook.arrived('Notification');
      const path = `/v1/subscriptions/${subscription.uuid}`;
      const read = async () => expectSuccess(await call('GET', path));
      const { active, stateReason } = await until(read, ({ state }) => state === 'paused');
      equal('active and stateReason', [active, stateReason], [false, 'gone']);
      const notices = async () => watcher.of('Notification').map(({ body }) => JSON.parse(String(body)));
      // The notice is published minutes later, after a check that the state was stored.
      await until(notices, (all) => all.some(({ uuid }) => uuid === subscription.uuid), 300);
    },
  }),
  ...requirementsOf('client guide: deliveries', {
    'the list of deliveries shows a delivered message': async (deployment) => {
      const { path, messageId } = await deployment.newDelivery();
      const read = async () =>
        expectSuccess(await deployment.call('GET', `${path}/deliveries`, { query: { messageId } }));
      const [delivery] = await until(read, ([one]) => one?.state === 'delivered');
      equal('subject and number of attempts', [delivery.subject, delivery.attempts.length], ['liveBirth', 1]);
    },
    'the list of deliveries shows at most 512 bytes of a failed response, and no response to a confirmation request':
      async ({ newTopic, newWebhook, subscribe, confirm, publish, call }) => {
        const topic = await newTopic();
        const webhook = newWebhook();
        const body = 'x'.repeat(600);
        webhook.respond = () => ({ status: 400, body });
        const { uuid } = await subscribe(topic, webhook.address, { policy: '600,1' });
        const read = async () => expectSuccess(await call('GET', `/v1/subscriptions/${uuid}/deliveries`));
        const firstAttempt = async (type: 'event' | 'request') => {
          const [delivery] = await until(
            read,
            ([one]) => one?.attempts.length === 1 && (type === 'event') === !one.type,
          );
          return delivery.attempts[0];
        };
        equal('the response to the request', (await firstAttempt('request')).response, undefined);
        const [confirmation] = await webhook.arrived('SubscriptionConfirmation');
        expectSuccess(await confirm(JSON.parse(String(confirmation?.body)).token));
        await publish(topic, event);
        const { response } = await firstAttempt('event');
        ensure([undefined, body.slice(0, 512)].includes(response), `the response is ${response}`);
      },
    'a redelivered message has the same message-id': async (deployment) => {
      const { path, messageId, webhook } = await deployment.newDelivery();
      const read = async () =>
        expectSuccess(await deployment.call('GET', `${path}/deliveries`, { query: { messageId } }));
      await until(read, ([one]) => one?.state === 'delivered');
      expectSuccess(await deployment.call('POST', `${path}/deliveries/${messageId}/redeliver`), 202);
      const [, again] = await webhook.arrived('Notification', 2);
      equal('message-id', again?.headers['message-id'], messageId);
    },
    'redelivering an unknown message returns 404': async (deployment) => {
      const { path } = await deployment.newDelivery();
      const unknownId = '00000000-0000-7000-8000-000000000000';
      expectError(await deployment.call('POST', `${path}/deliveries/${unknownId}/redeliver`), 404);
    },
    'recover returns 202 and the period of the recovered events': async (deployment) => {
      const { path } = await deployment.newDelivery();
      const covered = expectSuccess(await deployment.call('POST', `${path}/recover`), 202);
      ensure(covered.since <= covered.until, `the time span is ${JSON.stringify(covered)}`);
    },
    'clients can request ten recoveries per clock hour, and then get 429 with Retry-After': (deployment) =>
      expectTenPerHour(deployment, 'recover'),
  }),
];
