import { publishKeys } from '../../../shared/contract/endpoints/access-endpoints.ts';
import {
  listDeliveries,
  recoverSubscription,
  redeliverMessage,
} from '../../../shared/contract/endpoints/deliveries-endpoints.ts';
import {
  changeSubscription,
  confirmSubscription,
  listSubscriptions,
  readSubscription,
  subscribe,
  testSubscription,
  unsubscribe,
} from '../../../shared/contract/endpoints/subscriptions-endpoints.ts';
import {
  createTopic,
  deleteTopic,
  listTopics,
  publishEvent,
} from '../../../shared/contract/endpoints/topics-endpoints.ts';
import { statusTopicName } from '../../../shared/domain/topics/topic.ts';
import { linkIn, mailsTo, newReader } from '../../harness/mail-reader.ts';
import { confirmationIn, startReceiver } from '../../harness/receiver.ts';
import { uniqueName } from '../../harness/world.ts';
import type { Scene } from './backstage.ts';

async function opened(link: string, method = 'GET'): Promise<string> {
  const response = await fetch(link, { method });
  if (response.status !== 200) throw new Error(`${method} ${new URL(link).pathname} returned ${response.status}`);
  return response.text();
}

/** Scenes for requests that subscribers and publishers send. */
export const subscriptionScenes: Readonly<Record<string, Scene>> = {
  'a topic is created, listed and deleted': async ({ call }) => {
    const { uuid } = (await call(createTopic, { query: { name: uniqueName() } })).json;
    (await call(listTopics)).json;
    if ((await call(deleteTopic, { path: { uuid } })).status !== 204) throw new Error('not deleted');
  },
  'an event is published twice': async ({ call, newTopic }) => {
    const path = { uuid: (await newTopic()).uuid };
    const given = { path, body: { note: 'x'.repeat(9000) }, headers: { 'idempotency-key': uniqueName() } };
    for (let times = 0; times < 2; times++) (await call(publishEvent, given)).json;
  },
  'an http subscriber receives a confirmation request and confirms': async ({ call, world, newTopic }) => {
    const topic = await newTopic();
    const receiver = await startReceiver();
    const ask = async () => (await call(subscribe, { query: { topic: topic.uuid, address: receiver.url } })).json;
    await ask();
    // The request of another caller is added to the existing subscription.
    const token = await world.tokenFor(['notif.sub.write'], uniqueName('other'));
    (await call(subscribe, { query: { topic: topic.uuid, address: receiver.url }, token })).json;
    const { token: first } = confirmationIn(await receiver.arrival('SubscriptionConfirmation'));
    (await call(confirmSubscription, { query: { token: first } })).json;
    // The request of the other caller is confirmed on the confirmation page.
    const { token: second } = confirmationIn(await receiver.arrival('SubscriptionConfirmation', 2));
    await opened(`${world.outputs.baseUrl}/v1/confirm?token=${second}`, 'POST');
  },
  'a confirmation request that cannot be stored does not count towards the limit for its address': async ({
    call,
    newTopic,
    answering,
  }) => {
    const topic = await newTopic();
    const { url } = await startReceiver();
    const broken = { status: 400, body: JSON.stringify({ __type: 'ValidationException', message: 'no' }) };
    const isKept: Parameters<typeof answering>[0] = ({ functionName, needs }) =>
      functionName === 'subscribe' &&
      needs.some(({ action, resources }) => action === 'sqs:SendMessage' || /deliveries/.test(String(resources)));
    const query = { topic: topic.uuid, address: url };
    await answering(isKept, broken, () => call(subscribe, { query }));
  },
  'a reader confirms on one page and unsubscribes on another page': async ({ world }) => {
    const { topic, address, pending, confirmLink } = await newReader(world);
    await opened(confirmLink);
    await opened(confirmLink, 'POST');
    // The token of the second confirmation request has expired.
    await world.aws.expireTokens(pending.uuid);
    await opened(confirmLink, 'POST');
    await world.publish(topic, { source: 'CR' });
    const [, event] = await mailsTo(world, address, 2);
    const leaving = linkIn(event, 'unsubscribe');
    await opened(leaving);
    await opened(leaving, 'POST');
  },
  'a reader stops all confirmation requests, and an operator allows them again': async ({ world, invoke }) => {
    const { address } = await newReader(world);
    const [mail] = await mailsTo(world, address, 1);
    const link = linkIn(mail, 'never-ask');
    await opened(link);
    await opened(link, 'POST');
    await invoke('allowRequests', { address });
  },
  'an address is removed from the suppression list': ({ invoke }) =>
    invoke('unsuppress', { address: 'ann@example.org' }),
  'subscriptions are listed, read, changed and ended': async ({ call, newTopic, newSubscription, world }) => {
    const topic = await newTopic();
    const { uuid } = await newSubscription(topic);
    const path = { uuid };
    (await call(listSubscriptions)).json;
    (await call(readSubscription, { path })).json;
    (await call(changeSubscription, { path, body: { policy: '2,2' } })).json;
    if ((await call(unsubscribe, { path })).status !== 204) throw new Error('not ended');
    // The caller withdraws its request for a subscription that another caller owns.
    const receiver = await startReceiver();
    const asking = { query: { topic: topic.uuid, address: receiver.url } };
    const pending = (await call(subscribe, asking)).json;
    const token = await world.tokenFor(['notif.sub.write', 'notif.sub.read'], uniqueName('other'));
    (await call(subscribe, { ...asking, token })).json;
    await call(unsubscribe, { path: { uuid: pending.uuid }, token });
    // The reserved topic is created when the first client subscribes to it.
    const watching = (await call(subscribe, { query: { topic: statusTopicName, address: receiver.url } })).json;
    await call(unsubscribe, { path: { uuid: watching.uuid } });
  },
  'a subscriber tests a subscription, redelivers a message and recovers missed messages': async (backstage) => {
    const { call, newTopic, newSubscription, world } = backstage;
    const topic = await newTopic();
    for (const protocol of ['http', 'email'] as const) {
      const { uuid } = await newSubscription(topic, { protocol });
      const path = { uuid };
      (await call(testSubscription, { path })).json;
      const messageId = await world.publish(topic, { source: 'CR' });
      await world.attemptsAt(messageId, uuid);
      (await call(listDeliveries, { path })).json;
      (await call(readSubscription, { path })).json;
      (await call(redeliverMessage, { path: { uuid, messageId } })).json;
      await world.attemptsAt(messageId, uuid);
      (await call(redeliverMessage, { path: { uuid, messageId } })).json;
      (await call(recoverSubscription, { path, body: {} })).json;
    }
  },
  'keys are published': async ({ call }) => (await call(publishKeys)).json,
};
