import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { uuidRange, wholeTopic } from '../../../shared/domain/deliveries/shards.ts';
import { pauseReasons } from '../../../shared/domain/subscriptions/subscription.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/store.ts';
import { aSubscription, aTopic, noon } from '../../harness/builders.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { interfereWith } from '../../harness/interference.ts';

const dynamodb = useDynamodb();
const { permissions } = subscriptions;
const open = (table: string) => ({
  ...permissions.requestConfirmation(dynamodb.client, table),
  ...permissions.remove(dynamodb.client, table),
  ...permissions.read(dynamodb.client, table),
  ...permissions.listActive(dynamodb.client, table),
  ...permissions.removeByLink(dynamodb.client, table),
  ...permissions.pause(dynamodb.client, table),
});

const topic = aTopic({ name: 'CR', generation: 'first' });
let table: string;
let store: ReturnType<typeof open>;
beforeEach(async () => {
  table = await dynamodb.createTable('subscriptions');
  store = open(table);
});

const activeUuids = async () =>
  (await Array.fromAsync(store.listActive({ topicUuid: topic.uuid, generation: 'first' }, uuidRange(wholeTopic(0)))))
    .flat()
    .map(({ uuid }) => uuid);

it('removeOfGeneration returns the subscription that it deletes, and returns nothing if it is called again', async () => {
  const subscription = aSubscription(topic);
  await store.ensure(subscription);
  expect(await store.removeOfGeneration(subscription.uuid, 'first')).toEqual(subscription);
  expect(await dynamodb.rowsOf(table)).toEqual([]);
  expect(await store.removeOfGeneration(subscription.uuid, 'first')).toBeUndefined();
});

it('removeOfGeneration keeps a subscription that is created again after it was read', async () => {
  const subscription = aSubscription(topic);
  await store.ensure(subscription);
  let isRead = false;
  onTestFinished(
    interfereWith(dynamodb.client, () => ({
      async call({ command }, go) {
        const result = await go();
        if (command === 'GetItem' && !isRead) {
          isRead = true;
          await store.removeView(subscription, subscription);
          await store.ensure({ ...subscription, createdAt: subscription.createdAt + 1, generation: 'second' });
        }
        return result;
      },
    })),
  );
  expect(await store.removeOfGeneration(subscription.uuid, 'first')).toBeUndefined();
  expect(isRead).toBe(true);
  expect(await dynamodb.rowsOf(table)).toHaveLength(1);
});

it("removeOfGeneration keeps a subscription to the topic's next generation", async () => {
  const subscription = aSubscription(topic);
  await store.ensure(subscription);
  expect(await store.removeOfGeneration(subscription.uuid, 'before')).toBeUndefined();
  expect(await store.get(subscription.uuid, noon)).toEqual(subscription);
});

const aMail = { generation: topic.generation, sentAt: noon };

it('pause ignores a bounce of an email that was sent before the confirmation or for another generation', async () => {
  const subscription = aSubscription(topic, { activeSince: noon });
  await store.ensure(subscription);
  expect(await store.pause(subscription.uuid, 'bounce', { ...aMail, sentAt: noon - 60_000 })).toBe(false);
  expect(await store.pause(subscription.uuid, 'bounce', { ...aMail, generation: 'before' })).toBe(false);
  expect(await store.get(subscription.uuid, noon)).toEqual(subscription);
  expect(await store.pause(subscription.uuid, 'bounce', aMail)).toBe(true);
});

it.each(pauseReasons)(
  'pause with the reason %s removes the subscription from fan-out and records the reason',
  async (reason) => {
    const [subscription, other] = [aSubscription(topic), aSubscription(topic)];
    await store.ensure(subscription);
    await store.ensure(other);
    expect(await store.pause(subscription.uuid, reason, aMail)).toBe(true);
    expect(await activeUuids()).toEqual([other.uuid]);
    const lastFailure = { class: 'email', at: aMail.sentAt };
    const paused = { ...subscription, isActive: false, pausedReason: reason, requests: {}, lastFailure };
    expect(await store.get(subscription.uuid, noon)).toEqual(paused);
  },
);

it('pause keeps the first reason and creates no row', async () => {
  const subscription = aSubscription(topic);
  await store.ensure(subscription);
  await store.pause(subscription.uuid, 'bounce', aMail);
  expect(await store.pause(subscription.uuid, 'complaint', aMail)).toBe(false);
  expect((await store.get(subscription.uuid, noon))?.pausedReason).toBe('bounce');
  expect(await store.pause(topic.uuid, 'bounce', aMail)).toBe(false);
  expect(await dynamodb.rowsOf(table)).toHaveLength(1);
});

it('pause does not change an unconfirmed subscription', async () => {
  const pending = aSubscription(topic, { isActive: false });
  await store.ensure(pending);
  expect(await store.pause(pending.uuid, 'bounce', aMail)).toBe(false);
  expect(await store.get(pending.uuid, noon)).toEqual(pending);
});
