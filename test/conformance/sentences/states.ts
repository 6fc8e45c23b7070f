import { refused, succeeded } from '../client.ts';
import { holds, same, sentencesOf } from '../sentence.ts';
import { quietFor } from './quiet.ts';

const body = { source: 'conformance', uin: '1' };

export const states = [
  ...sentencesOf('3 Subscription lifecycle', {
    'subscribing answers 200 and a subscription that is not active yet': async (deployment) => {
      const { newTopic, newLetterbox, subscribe } = deployment;
      same('active', (await subscribe(await newTopic(), newLetterbox().address)).active, false);
    },
    'subscribing sends a SubscriptionConfirmation to the address': async ({ newTopic, newLetterbox, subscribe }) => {
      const letterbox = newLetterbox();
      await subscribe(await newTopic(), letterbox.address);
      await letterbox.arrived('SubscriptionConfirmation');
    },
    'the same topic, protocol and address again answers the same ID': async ({
      newTopic,
      newSubscriber,
      subscribe,
    }) => {
      const topic = await newTopic();
      const { letterbox, subscription } = await newSubscriber(topic);
      same('the subscription', await subscribe(topic, letterbox.address), subscription);
      same(
        'its ID, by another notation',
        (await subscribe(topic, letterbox.address, { protocol: 'http' })).uuid,
        subscription.uuid,
      );
    },
    'subscribed twice, a notification comes only once': async ({ newTopic, newSubscriber, subscribe, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic);
      await subscribe(topic, letterbox.address);
      await publish(topic, body);
      await letterbox.arrived('Notification');
      await quietFor(2);
      same('how often it came', letterbox.of('Notification').length, 1);
    },
    'a valid token confirms, and then the subscription is active': async (deployment) => {
      const { subscription } = await deployment.newSubscriber(await deployment.newTopic());
      same('active', subscription.active, true);
      const list: { uuid: string; active: boolean }[] = succeeded(await deployment.call('GET', '/v1/subscriptions'));
      same('active in the list', list.find(({ uuid }) => uuid === subscription.uuid)?.active, true);
    },
    'confirming again with the valid token is 200, and changes nothing': async ({
      newTopic,
      newSubscriber,
      confirm,
    }) => {
      const { letterbox, subscription } = await newSubscriber(await newTopic());
      const [first] = await letterbox.arrived('SubscriptionConfirmation');
      same('the answer', succeeded(await confirm(JSON.parse(String(first?.body)).token)), subscription);
    },
    'an invalid token is 400, and the subscription stays as it is': async (deployment) => {
      const { newTopic, newLetterbox, subscribe, confirm, call } = deployment;
      const letterbox = newLetterbox();
      const { uuid } = await subscribe(await newTopic(), letterbox.address);
      const [arrival] = await letterbox.arrived('SubscriptionConfirmation');
      const { token } = JSON.parse(String(arrival?.body));
      const altered = (token.at(0) === 'A' ? 'B' : 'A') + token.slice(1);
      for (const wrong of [altered, token.slice(0, -1), 'unknown']) refused(await confirm(wrong), 400);
      const list: { uuid: string; active: boolean }[] = succeeded(await call('GET', '/v1/subscriptions'));
      same('active', list.find((one) => one.uuid === uuid)?.active, false);
    },
    'awaiting confirmation it gets no event': async ({ newTopic, newLetterbox, subscribe, newSubscriber, publish }) => {
      const topic = await newTopic();
      const pending = newLetterbox();
      await subscribe(topic, pending.address);
      const { letterbox } = await newSubscriber(topic);
      await publish(topic, body);
      await letterbox.arrived('Notification');
      await quietFor(1);
      same('events at the unconfirmed address', pending.of('Notification').length, 0);
    },
    'unsubscribed it is removed, 204, and gets nothing more': async ({ newTopic, newSubscriber, call, publish }) => {
      const topic = await newTopic();
      const { letterbox, subscription } = await newSubscriber(topic);
      const other = await newSubscriber(topic);
      succeeded(await call('DELETE', `/v1/subscriptions/${subscription.uuid}`), 204);
      await publish(topic, body);
      await other.letterbox.arrived('Notification');
      await quietFor(1);
      same('events after it', letterbox.of('Notification').length, 0);
      const list: { uuid: string }[] = succeeded(await call('GET', '/v1/subscriptions'));
      same(
        'it in the list',
        list.some(({ uuid }) => uuid === subscription.uuid),
        false,
      );
    },
    'also a subscription that waits to be confirmed can be removed': async (deployment) => {
      const { newTopic, newLetterbox, subscribe, call } = deployment;
      const { uuid } = await subscribe(await newTopic(), newLetterbox().address);
      succeeded(await call('DELETE', `/v1/subscriptions/${uuid}`), 204);
    },
  }),
  ...sentencesOf('3 Topics', {
    'creating a topic again answers the same topic': async ({ newTopic }) => {
      const topic = await newTopic();
      same('the topic', await newTopic(topic.name), topic);
    },
    'created again, it has the same uuid and no subscribers': async ({ newTopic, newSubscriber, call, publish }) => {
      const topic = await newTopic();
      const { letterbox } = await newSubscriber(topic);
      succeeded(await call('DELETE', `/v1/topics/${topic.uuid}`), 204);
      same('the topic', await newTopic(topic.name), topic);
      const other = await newSubscriber(topic);
      await publish(topic, body);
      await other.letterbox.arrived('Notification');
      await quietFor(1);
      same('what came to the old one', letterbox.of('Notification').length, 0);
    },
    'deleted, it is gone, with its subscriptions': async ({ newTopic, newSubscriber, call }) => {
      const topic = await newTopic();
      await newSubscriber(topic);
      succeeded(await call('DELETE', `/v1/topics/${topic.uuid}`), 204);
      const topics: { uuid: string }[] = succeeded(await call('GET', '/v1/topics'));
      holds(!topics.some(({ uuid }) => uuid === topic.uuid), 'the topic is in the list still');
      refused(await call('POST', `/v1/topics/${topic.uuid}/publish`, { body }), 400);
    },
  }),
];
