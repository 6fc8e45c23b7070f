import { expectError, expectSuccess } from '../client.ts';
import { equal, requirementsOf, sleepSeconds } from '../requirement.ts';

const body = { source: 'conformance', uin: '1' };

export const states = [
  ...requirementsOf('3 Subscription lifecycle', {
    'subscribing returns 200 and an inactive subscription': async ({ newTopic, newWebhook, subscribe }) => {
      equal('active', (await subscribe(await newTopic(), newWebhook().address)).active, false);
    },
    'subscribing sends a SubscriptionConfirmation to the address': async ({ newTopic, newWebhook, subscribe }) => {
      const webhook = newWebhook();
      await subscribe(await newTopic(), webhook.address);
      await webhook.arrived('SubscriptionConfirmation');
    },
    'subscribing again with the same topic, protocol and address returns the same subscription ID': async (
      deployment,
    ) => {
      const { newTopic, newSubscriber, subscribe } = deployment;
      const topic = await newTopic();
      const { webhook, subscription } = await newSubscriber(topic);
      equal('the subscription', await subscribe(topic, webhook.address), subscription);
      equal(
        'the ID with an explicit protocol',
        (await subscribe(topic, webhook.address, { protocol: 'http' })).uuid,
        subscription.uuid,
      );
    },
    'after subscribing twice, the address receives each event only once': async (deployment) => {
      const { newTopic, newSubscriber, subscribe, publish } = deployment;
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic);
      await subscribe(topic, webhook.address);
      await publish(topic, body);
      await webhook.arrived('Notification');
      await sleepSeconds(2);
      equal('number of deliveries', webhook.of('Notification').length, 1);
    },
    'a valid token activates the subscription': async (deployment) => {
      const { subscription } = await deployment.newSubscriber(await deployment.newTopic());
      equal('active', subscription.active, true);
      equal('active in the list', (await deployment.find('/v1/subscriptions', subscription.uuid))?.active, true);
    },
    'confirming again with a valid token returns 200 and the unchanged subscription': async (deployment) => {
      const { newTopic, newSubscriber, confirm } = deployment;
      const { webhook, subscription } = await newSubscriber(await newTopic());
      const [first] = await webhook.arrived('SubscriptionConfirmation');
      equal('the subscription', expectSuccess(await confirm(JSON.parse(String(first?.body)).token)), subscription);
    },
    'an invalid token returns 400 and does not change the subscription': async (deployment) => {
      const { newTopic, newWebhook, subscribe, confirm, find } = deployment;
      const webhook = newWebhook();
      const { uuid } = await subscribe(await newTopic(), webhook.address);
      const [arrival] = await webhook.arrived('SubscriptionConfirmation');
      const { token } = JSON.parse(String(arrival?.body));
      const altered = (token.at(0) === 'A' ? 'B' : 'A') + token.slice(1);
      for (const wrong of [altered, token.slice(0, -1), 'unknown']) expectError(await confirm(wrong), 400);
      equal('active', (await find('/v1/subscriptions', uuid))?.active, false);
    },
    'a subscription gets no events before it is confirmed': async (deployment) => {
      const { newTopic, newWebhook, subscribe, newSubscriber, publish } = deployment;
      const topic = await newTopic();
      const pending = newWebhook();
      await subscribe(topic, pending.address);
      const { webhook } = await newSubscriber(topic);
      await publish(topic, body);
      await webhook.arrived('Notification');
      await sleepSeconds(1);
      equal('number of events received before the confirmation', pending.of('Notification').length, 0);
    },
    'unsubscribing returns 204, removes the subscription and stops its events': async (deployment) => {
      const { newTopic, newSubscriber, call, publish, find } = deployment;
      const topic = await newTopic();
      const { webhook, subscription } = await newSubscriber(topic);
      const other = await newSubscriber(topic);
      expectSuccess(await call('DELETE', `/v1/subscriptions/${subscription.uuid}`), 204);
      await publish(topic, body);
      await other.webhook.arrived('Notification');
      await sleepSeconds(1);
      equal('number of events after unsubscribing', webhook.of('Notification').length, 0);
      equal('the entry in the list', await find('/v1/subscriptions', subscription.uuid), undefined);
    },
    'an unconfirmed subscription can be removed': async ({ newTopic, newWebhook, subscribe, call }) => {
      const { uuid } = await subscribe(await newTopic(), newWebhook().address);
      expectSuccess(await call('DELETE', `/v1/subscriptions/${uuid}`), 204);
    },
  }),
  ...requirementsOf('3 Topics', {
    'creating a topic again returns the same topic': async ({ newTopic }) => {
      const topic = await newTopic();
      equal('the topic', await newTopic(topic.name), topic);
    },
    'a topic that is deleted and created again has the same uuid but no subscribers': async (deployment) => {
      const { newTopic, newSubscriber, call, publish } = deployment;
      const topic = await newTopic();
      const { webhook } = await newSubscriber(topic);
      expectSuccess(await call('DELETE', `/v1/topics/${topic.uuid}`), 204);
      equal('the topic', await newTopic(topic.name), topic);
      const other = await newSubscriber(topic);
      await publish(topic, body);
      await other.webhook.arrived('Notification');
      await sleepSeconds(1);
      equal('number of events that the former subscriber received', webhook.of('Notification').length, 0);
    },
    'deleting a topic also deletes its subscriptions': async ({ newTopic, newSubscriber, call, find }) => {
      const topic = await newTopic();
      await newSubscriber(topic);
      expectSuccess(await call('DELETE', `/v1/topics/${topic.uuid}`), 204);
      equal('the entry in the list', await find('/v1/topics', topic.uuid), undefined);
      expectError(await call('POST', `/v1/topics/${topic.uuid}/publish`, { body }), 400);
    },
  }),
];
