import { expectError, expectErrorNaming, expectSuccess } from '../client.ts';
import { unique } from '../deployment.ts';
import { ensure, equal, requirementsOf } from '../requirement.ts';

export const subscriptions = [
  ...requirementsOf('4.2 POST /v1/subscriptions', {
    'requires topic and address': async ({ newTopic, call }) => {
      const { name } = await newTopic();
      const address = 'https://receiver.example.org/';
      expectErrorNaming(await call('POST', '/v1/subscriptions', { query: { address } }), 400, 'topic');
      expectErrorNaming(await call('POST', '/v1/subscriptions', { query: { topic: name } }), 400, 'address');
    },
    'rejects an unknown topic': async ({ call }) => {
      const query = { topic: unique('unknown topic'), address: 'https://receiver.example.org/' };
      expectError(await call('POST', '/v1/subscriptions', { query }), 400);
    },
    'accepts the uuid of a topic': async ({ newTopic, newWebhook, call, subscribe }) => {
      const topic = await newTopic();
      const { address } = newWebhook();
      const first = await subscribe(topic, address);
      const query = { topic: topic.uuid, address };
      equal('the subscription', expectSuccess(await call('POST', '/v1/subscriptions', { query })).uuid, first.uuid);
    },
    'an email subscription accepts only an email address, and an http subscription accepts only a URL': async ({
      newTopic,
      call,
    }) => {
      const topic = (await newTopic()).name;
      const pairs = { http: 'clerk@example.org', email: 'https://receiver.example.org/' };
      for (const [protocol, address] of Object.entries(pairs)) {
        const response = await call('POST', '/v1/subscriptions', { query: { topic, protocol, address } });
        expectErrorNaming(response, 400, 'address');
      }
    },
    'rejects any other address': async ({ newTopic, call }) => {
      const topic = (await newTopic()).name;
      const hosts = ['receiver.example.org', 'ftp://receiver.example.org/', 'https://me:secret@receiver.example.org/'];
      for (const address of [...hosts, 'http://169.254.169.254/', 'http://0.0.0.0/']) {
        expectErrorNaming(await call('POST', '/v1/subscriptions', { query: { topic, address } }), 400, 'address');
      }
    },
    'an email subscription is inactive until it is confirmed': async ({ newTopic, newMailbox, subscribe }) => {
      const { protocol, active } = await subscribe(await newTopic(), newMailbox(), { protocol: 'email' });
      equal('protocol and active', [protocol, active], ['email', false]);
    },
  }),
  ...requirementsOf('4.2 GET /v1/subscriptions', {
    'listing subscriptions returns an array of all subscriptions': async ({ newTopic, newSubscriber, find }) => {
      const { subscription } = await newSubscriber(await newTopic());
      equal('the entry in the list', await find('/v1/subscriptions', subscription.uuid), subscription);
    },
  }),
  ...requirementsOf('4.2 DELETE /v1/subscriptions/{uuid}', {
    'returns 204 without a body': async ({ newTopic, newSubscriber, call }) => {
      const { subscription } = await newSubscriber(await newTopic());
      expectSuccess(await call('DELETE', `/v1/subscriptions/${subscription.uuid}`), 204);
    },
  }),
  ...requirementsOf('4.2 GET /v1/subscriptions/confirm', {
    'requires token': async ({ call }) =>
      expectErrorNaming(await call('GET', '/v1/subscriptions/confirm'), 400, 'token'),
    'a GET request to confirmURL confirms the subscription, even if the token is added as a parameter': async (
      deployment,
    ) => {
      const { newTopic, newWebhook, subscribe, call, baseUrl } = deployment;
      const webhook = newWebhook();
      await subscribe(await newTopic(), webhook.address);
      const [arrival] = await webhook.arrived('SubscriptionConfirmation');
      const { confirmURL, token } = JSON.parse(String(arrival?.body));
      ensure(confirmURL.startsWith(baseUrl) || deployment.isLocal, 'confirmURL does not start with the base URL');
      const { search } = new URL(confirmURL);
      expectSuccess(await call('GET', `/v1/subscriptions/confirm${search}`));
      expectSuccess(await call('GET', `/v1/subscriptions/confirm${search}&token=${token}`));
    },
    'a receiver can confirm a subscription before it responds to the confirmation request': async (deployment) => {
      const { newTopic, newWebhook, subscribe, confirm, call } = deployment;
      const webhook = newWebhook();
      const topic = await newTopic();
      let confirmed = 0;
      webhook.respond = async (arrival) => {
        const response = await confirm(JSON.parse(String(arrival.body)).token);
        confirmed = response.status;
        return response.status;
      };
      const { uuid } = await subscribe(topic, webhook.address);
      await webhook.arrived('SubscriptionConfirmation');
      while (confirmed === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      equal('status of the confirmation', confirmed, 200);
      equal('active', expectSuccess(await call('GET', `/v1/subscriptions/${uuid}`)).active, true);
    },
  }),
];
