import { describe, expect, it } from 'vitest';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import { nameUuid } from '../../../shared/domain/name-uuid.ts';
import { useColdStarts } from '../../harness/cold-starts.ts';
import { useHarness } from '../../harness/harness.ts';
import { type Call, losingResponse } from '../../harness/interference.ts';

const harness = useHarness();
const { newTopic, queues, subscriptionStore, lines } = harness;
const { start } = useColdStarts(harness);
const load = () => import('../../../functions/subscriptions/subscribe.ts');
const loadConfirm = () => import('../../../functions/subscriptions/confirm-subscription.ts');
const asked = () => harness.payloadsIn<DeliveryTask>('http');
const rows = () => harness.rows('subscriptions');
const queryOf = (topic: string) => `topic=${topic}&address=${encodeURIComponent('https://receiver.example/events')}`;

/** Subscribes an address to a new topic. Returns the topic and the stored subscription. */
async function subscribed() {
  const topic = await newTopic();
  const subscribe = await start(load);
  const { json } = await subscribe({ query: queryOf(topic.uuid) });
  return { topic, subscribe, stored: await harness.subscription(json.uuid) };
}

it('subscribe sends one confirmation request to a new address, even if the response to the write is lost', async () => {
  const topic = await newTopic();
  const subscribe = await start(load);
  const { interference, lost } = losingResponse('PutItem');
  harness.interfere(interference);
  const { status, json } = await subscribe({ query: queryOf(topic.uuid) });
  expect([status, lost()]).toEqual([200, 1]);
  expect(await rows()).toMatchObject([{ uuid: json.uuid, isActive: false }]);
  expect(asked()).toMatchObject([{ taskKey: `one#${json.uuid}`, content: { type: 'SubscriptionConfirmation' } }]);
});

it("subscribe succeeds if the queue fails, and logs an internal error with the delivery's ids", async () => {
  const topic = await newTopic();
  const subscribe = await start(load, {
    variables: { HTTP_CONFIRMATIONS_QUEUE_URL: `${queues.httpConfirmations}-gone` },
  });
  const { status, json } = await subscribe({ query: queryOf(topic.uuid) });
  expect(status).toBe(200);
  const [row] = await harness.rows('deliveries');
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { operation: 'subscribe', error: 'queueMissed', messageId: row?.messageId, taskKey: `one#${json.uuid}` },
  ]);
  expect(lines.error.join()).not.toContain('receiver.example');
});

it('subscribe rejects a delivery format for an email address', async () => {
  const topic = await newTopic();
  const subscribe = await start(load);
  const query = `topic=${topic.uuid}&protocol=email&address=a%40example.org&deliveryFormat=raw`;
  const { status, json } = await subscribe({ query });
  expect([status, json.code]).toEqual([400, 1002]);
  expect(json.message).toContain('deliveryFormat applies only to http subscriptions');
  expect(await rows()).toEqual([]);
});

it('subscribe sends another confirmation request if the first delivery failed, even if the response to the write is lost', async () => {
  const { topic, stored } = await subscribed();
  const [hash = ''] = Object.keys(stored.requests);
  await subscriptionStore().markRequestFailed(stored.uuid, hash);
  const subscribe = await start(load);
  const { interference, lost } = losingResponse('UpdateItem');
  harness.interfere(interference);
  expect((await subscribe({ query: queryOf(topic.uuid) })).status).toBe(200);
  expect((await subscribe({ query: queryOf(topic.uuid) })).status).toBe(200);
  expect(lost()).toBe(1);
  expect(asked()).toHaveLength(2);
  const [row] = await rows();
  const [request] = Object.values(row?.requests ?? {});
  // The new request replaces the failed request and keeps its slot.
  expect(Object.keys(row?.requests ?? {})).toHaveLength(1);
  expect(request?.hostSlot).toEqual(Object.values(stored.requests)[0]?.hostSlot);
});

describe('an address with several subscribe requests', () => {
  const asking = (topic: string, policy: string) => `${queryOf(topic)}&policy=${policy}`;
  const tokens = () =>
    asked().map(({ content }) => (content.type === 'SubscriptionConfirmation' ? content.token : 'of an event'));

  it.each([
    ['first', 0, '1,0'],
    ['last', 1, '3600,168'],
  ])('a subscription gets the policy of the %s request if that request is confirmed', async (_which, place, policy) => {
    const topic = await newTopic();
    const [subscribe, confirm] = [await start(load), await start(loadConfirm)];
    const first = await subscribe({ query: asking(topic.uuid, '1,0'), caller: 'stranger' });
    const second = await subscribe({ query: asking(topic.uuid, '3600,168'), caller: 'its owner' });
    expect([first.json.policy, second.json.policy]).toEqual(['1,0', '3600,168']);
    expect(second.json.uuid).toBe(first.json.uuid);
    expect(tokens()).toHaveLength(2);
    const query = `token=${tokens()[place]}`;
    for (const _ of [1, 2]) expect((await confirm({ query })).json).toMatchObject({ policy, active: true });
    expect(await rows()).toMatchObject([{ owner: place === 0 ? 'stranger' : 'its owner' }]);
    const again = await subscribe({ query: asking(topic.uuid, '7,7'), caller: 'stranger' });
    expect(again.json).toMatchObject({ policy, active: true });
    expect(tokens()).toHaveLength(2);
  });

  it('an address gets one confirmation request per policy, and subscribe returns the requested policy', async () => {
    const topic = await newTopic();
    const subscribe = await start(load);
    for (const policy of ['1,0', '5,5', '1,0', '5,5']) {
      const { json } = await subscribe({ query: asking(topic.uuid, policy) });
      expect(json).toMatchObject({ policy, active: false });
    }
    expect(tokens()).toHaveLength(2);
  });
});

it('subscribe sends one confirmation request to the address of a paused subscription', async () => {
  const { topic, subscribe, stored } = await subscribed();
  const store = subscriptionStore();
  const [hash = ''] = Object.keys(stored.requests);
  await store.confirm(stored.uuid, hash, stored.createdAt);
  await store.recordHealth(stored, { isFailing: true, pause: 'gone' });
  for (const _ of [1, 2, 3]) await subscribe({ query: queryOf(topic.uuid) });
  expect(asked()).toHaveLength(2);
  const [row] = await rows();
  expect(row).toMatchObject({ isActive: false, pausedReason: 'gone' });
  expect(Object.keys(row?.requests ?? {})).toHaveLength(1);
});

it("subscribe leaves a paused subscription's owner, policy, filter and format unchanged until it is confirmed", async () => {
  const { topic, subscribe, stored } = await subscribed();
  const store = subscriptionStore();
  const [hash = ''] = Object.keys(stored.requests);
  await store.confirm(stored.uuid, hash, stored.createdAt);
  await store.recordHealth(stored, { isFailing: true, pause: 'gone' });
  const query = `${queryOf(topic.uuid)}&policy=1,0&subject=death&deliveryFormat=envelope`;
  const { json } = await subscribe({ query, caller: 'stranger' });
  expect(json).toMatchObject({ policy: '1,0', subjects: ['death'], active: false });
  const { owner, countdownSeconds, maxRetries, subjects } = stored;
  const before = { owner, countdownSeconds, maxRetries, subjects, deliveryFormat: null };
  expect(await harness.subscription(stored.uuid)).toMatchObject(before);
  const { content } = asked().at(-1) ?? {};
  const confirm = await start(loadConfirm);
  await confirm({ query: `token=${content?.type === 'SubscriptionConfirmation' ? content.token : ''}` });
  const confirmed = { owner: 'stranger', countdownSeconds: 1, maxRetries: 0, subjects: ['death'] };
  expect(await harness.subscription(stored.uuid)).toMatchObject({ ...confirmed, deliveryFormat: 'envelope' });
});

it('subscribe returns a UUID that cannot be computed from the topic and the address', async () => {
  const { topic, subscribe, stored } = await subscribed();
  expect(stored.uuid).not.toBe(nameUuid('subscription', topic.uuid, 'http', stored.address));
  const again = await start(load);
  await subscriptionStore().removeView(stored, stored);
  for (const call of [subscribe, again])
    expect((await call({ query: queryOf(topic.name) })).json.uuid).toBe(stored.uuid);
});

it('subscribe releases the slot of a confirmation request that could not be stored, and sends a new request', async () => {
  const topic = await newTopic();
  const subscribe = await start(load);
  const query = `topic=${topic.uuid}&protocol=email&address=ann%40example.org`;
  const isLost = ({ command, input }: Call) =>
    command === 'SendMessage' || (command === 'PutItem' && input.TableName === harness.tables.deliveries);
  harness.interfere({ call: (call, go) => (isLost(call) ? Promise.reject(new Error('down')) : go()) });
  for (let times = 0; times < 7; times++) expect((await subscribe({ query })).status).toBe(500);
  expect(lines.error.map((line) => JSON.parse(line).error)).toEqual(Array(7).fill('keptNowhere'));
  expect(harness.payloadsIn('email')).toEqual([]);
  harness.interfere({});
  for (const _ of [1, 2]) expect((await subscribe({ query })).status).toBe(200);
  expect(harness.payloadsIn('email')).toHaveLength(1);
  expect((await harness.rows('limits')).filter(({ holder }) => holder !== undefined)).toHaveLength(2);
});

it("subscribe keeps a client's request when four other clients request the same address, and rejects a sixth client", async () => {
  const topic = await newTopic();
  const [subscribe, confirm] = [await start(load), await start(loadConfirm)];
  const ask = (caller: string, seconds: number) =>
    subscribe({ query: `${queryOf(topic.uuid)}&policy=${seconds},1`, caller });
  await ask('victim', 9);
  const [first] = asked();
  for (const seconds of [1, 2, 3, 4]) await ask('flooding', seconds);
  for (const other of ['b', 'c', 'd']) expect((await ask(other, 5)).status).toBe(200);
  const refused = await ask('e', 5);
  expect([refused.status, refused.json.code]).toEqual([429, 1430]);
  expect(refused.json.message).toMatch(/^5 other clients .* again in \d+ seconds$/);
  const token = first?.content.type === 'SubscriptionConfirmation' ? first.content.token : '';
  expect((await confirm({ query: `token=${token}` })).json).toMatchObject({ policy: '9,1', active: true });
});
