import { expect, it } from 'vitest';
import { tokenLifetimeMs } from '../../../shared/domain/subscriptions/subscription-token.ts';
import type { DeliveryTask } from '../../../shared/model/deliveries/task.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/subscriptions.ts';
import { useNotificationFunctions } from '../../harness/cold-starts.ts';
import { readConsole } from '../../support/console-lines.ts';
import { loseAnswers } from '../../support/lost-answers.ts';

const lines = readConsole();
const { start, newTopic, sqs, queues, tables, dynamodb } = useNotificationFunctions();
const load = () => import('../../../functions/subscriptions/subscribe.ts');
const asked = () => sqs.messagesIn<DeliveryTask>(queues.http).map(({ payload }) => payload);
const rows = () => dynamodb.rowsOf(tables.subscriptions);
const queryOf = (topic: string) => `topic=${topic}&address=${encodeURIComponent('https://receiver.example/events')}`;

/** A subscription that is there, confirmed or not. */
async function subscribed() {
  const topic = await newTopic();
  const subscribe = await start(load);
  const { json } = await subscribe({ query: queryOf(topic.uuid) });
  const store = subscriptions.permissions.deliver(dynamodb.client, tables.subscriptions);
  const [stored] = await store.getMany([json.uuid]);
  if (stored === undefined) throw new Error('nothing was stored');
  return { topic, subscribe, stored, store };
}

it('asks a new address to confirm, once, though the answer to the write was lost', async () => {
  const topic = await newTopic();
  let lost = () => 0;
  const arrange = (client: Parameters<typeof loseAnswers>[0]) => {
    lost = loseAnswers(client, 'PutItemCommand');
  };
  const subscribe = await start(load, { arrange });
  const { status, json } = await subscribe({ query: queryOf(topic.uuid) });
  expect([status, lost()]).toEqual([200, 1]);
  expect(await rows()).toMatchObject([{ uuid: json.uuid, isActive: false }]);
  expect(asked()).toMatchObject([{ taskKey: `one#${json.uuid}`, content: { type: 'SubscriptionConfirmation' } }]);
});

it('subscribes where the queue fails, and logs that as a fault with the ids of the ledger', async () => {
  const topic = await newTopic();
  const subscribe = await start(load, { variables: { HTTP_QUEUE_URL: `${queues.http}-gone` } });
  const { status, json } = await subscribe({ query: queryOf(topic.uuid) });
  expect(status).toBe(200);
  const [row] = await dynamodb.rowsOf(tables.deliveries);
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { operation: 'subscribe', error: 'queueMissed', messageId: row?.messageId, taskKey: `one#${json.uuid}` },
  ]);
  expect(lines.error.join()).not.toContain('receiver.example');
});

it('asks nobody twice who subscribes twice', async () => {
  const { topic, subscribe } = await subscribed();
  await subscribe({ query: queryOf(topic.uuid) });
  await subscribe({ query: queryOf(topic.name) });
  expect(asked()).toHaveLength(1);
  expect(await rows()).toHaveLength(1);
});

it('asks again, once, whose confirmation has failed, though the answer to the write was lost', async () => {
  const { topic, stored, store } = await subscribed();
  await store.confirmationSent(stored.uuid, stored.tokenHash, true);
  let lost = () => 0;
  const arrange = (client: Parameters<typeof loseAnswers>[0]) => {
    lost = loseAnswers(client, 'UpdateItemCommand');
  };
  const subscribe = await start(load, { arrange });
  expect((await subscribe({ query: queryOf(topic.uuid) })).status).toBe(200);
  expect((await subscribe({ query: queryOf(topic.uuid) })).status).toBe(200);
  expect(lost()).toBe(1);
  expect(asked()).toHaveLength(2);
  const [row] = await rows();
  expect(row?.tokenHash).not.toBe(stored.tokenHash);
});

it('asks a paused address again, once', async () => {
  const { topic, subscribe, stored, store } = await subscribed();
  const write = subscriptions.permissions.write(dynamodb.client, tables.subscriptions);
  await write.confirm(stored.uuid, stored.tokenHash, stored.createdAt);
  await store.noteHealth(stored, { isFailing: true, pause: 'gone' });
  for (const _ of [1, 2, 3]) await subscribe({ query: queryOf(topic.uuid) });
  expect(asked()).toHaveLength(2);
  const [row] = await rows();
  expect(row).toMatchObject({ isActive: false, pausedReason: 'gone' });
  expect(Number(row?.tokenExpiresAt)).toBeGreaterThan(stored.createdAt + tokenLifetimeMs - 1000);
});
