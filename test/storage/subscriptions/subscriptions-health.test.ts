import { beforeEach, expect, it } from 'vitest';
import { uuidRange, wholeTopic } from '../../../shared/domain/deliveries/shards.ts';
import { needsNewRequest } from '../../../shared/domain/subscriptions/confirmation-requests.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/store.ts';
import { aRequest, aSubscription, aTopic, noon, tokenOf } from '../../harness/builders.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { permissions } = subscriptions;
const open = (table: string) => ({
  ...permissions.requestConfirmation(dynamodb.client, table),
  ...permissions.confirm(dynamodb.client, table),
  ...permissions.remove(dynamodb.client, table),
  ...permissions.listActive(dynamodb.client, table),
  ...permissions.deliver(dynamodb.client, table),
});

const topic = aTopic({ name: 'CR' });
const active = () => aSubscription(topic, { activeSince: noon, confirmedAt: noon });
let store: ReturnType<typeof open>;
beforeEach(async () => {
  store = open(await dynamodb.createTable('subscriptions'));
});
const get = async (uuid: string) => (await store.getMany([uuid]))[0];
const activeUuids = async () => {
  const life = { topicUuid: topic.uuid, generation: topic.generation };
  return (await Array.fromAsync(store.listActive(life, uuidRange(wholeTopic(0))))).flat().map(({ uuid }) => uuid);
};

it('recordHealth changes no other attributes and does not pause the subscription', async () => {
  const subscription = active();
  await store.ensure(subscription);
  await store.recordHealth(subscription, { isFailing: true });
  expect(await get(subscription.uuid)).toEqual({ ...subscription, isFailing: true });
  await store.recordHealth(subscription, { isFailing: false, lastDeliveredAt: noon + 1 });
  expect(await get(subscription.uuid)).toEqual({ ...subscription, isFailing: false, lastDeliveredAt: noon + 1 });
  expect(await activeUuids()).toEqual([subscription.uuid]);
});

it('recordHealth keeps the time of the first failure until a later delivery succeeds, whatever the order of the calls', async () => {
  const subscription = active();
  await store.ensure(subscription);
  const failing = (failingSince: number) => store.recordHealth(subscription, { isFailing: true, failingSince });
  const well = (lastDeliveredAt: number) => store.recordHealth(subscription, { isFailing: false, lastDeliveredAt });
  const stands = async () => {
    const { isFailing, failingSince, lastDeliveredAt } = (await get(subscription.uuid)) ?? {};
    return { isFailing, failingSince, lastDeliveredAt };
  };
  await failing(noon + 5);
  await failing(noon + 9);
  await well(noon + 4);
  expect(await stands()).toEqual({ isFailing: true, failingSince: noon + 5 });
  await well(noon + 20);
  expect(await stands()).toEqual({ isFailing: false, lastDeliveredAt: noon + 20 });
  await failing(noon + 10);
  expect(await stands()).toEqual({ isFailing: false, lastDeliveredAt: noon + 20 });
});

it('recordHealth does not pause a subscription after a later delivery has succeeded', async () => {
  const subscription = active();
  await store.ensure(subscription);
  await store.recordHealth(subscription, { isFailing: true, failingSince: noon });
  await store.recordHealth(subscription, { isFailing: false, lastDeliveredAt: noon + 1 });
  await store.recordHealth(subscription, { failingSince: noon, pause: 'undeliverable' });
  expect(await activeUuids()).toEqual([subscription.uuid]);
});

it('recordHealth pauses a subscription, records the reason and removes the subscription from fan-out', async () => {
  const subscription = active();
  await store.ensure(subscription);
  await store.recordHealth(subscription, { isFailing: true, pause: 'gone' });
  expect(await activeUuids()).toEqual([]);
  const { activeSince: _, ...rest } = subscription;
  const paused = { ...rest, isActive: false, isFailing: true, pausedReason: 'gone', requests: {} };
  expect(await get(subscription.uuid)).toEqual(paused);
});

it.each([
  ['the subscription was deleted', async () => {}],
  [
    'the subscription belongs to the next generation of its topic',
    (uuid: string) => store.ensure(aSubscription({ ...topic, generation: 'next' }, { uuid })),
  ],
  ['the subscription is not active', (uuid: string) => store.ensure(aSubscription(topic, { uuid, isActive: false }))],
])('recordHealth changes nothing if %s', async (_what, arrange) => {
  const subscription = active();
  await arrange(subscription.uuid);
  const before = await get(subscription.uuid);
  await store.recordHealth(subscription, { isFailing: true, pause: 'undeliverable' });
  expect(await get(subscription.uuid)).toEqual(before);
});

const paused = async () => {
  const subscription = active();
  await store.ensure(subscription);
  await store.recordHealth(subscription, { isFailing: true, failingSince: noon });
  await store.recordHealth(subscription, { failingSince: noon, pause: 'undeliverable' });
  return { subscription, stored: (await get(subscription.uuid)) ?? subscription };
};

it('a paused subscription cannot be resumed with the token that first confirmed it', async () => {
  const { subscription } = await paused();
  expect(await store.confirm(subscription.uuid, hashToken(tokenOf(subscription.uuid)), noon + 1)).toBeUndefined();
  expect(await activeUuids()).toEqual([]);
});

it('a paused subscription gets only one new confirmation request, even if a client subscribes several more times', async () => {
  const { stored } = await paused();
  const request = aRequest();
  expect(needsNewRequest(stored, request, noon + 1)).toBe(true);
  expect(await store.addRequest(stored, 'new', request)).toBe(true);
  expect(needsNewRequest((await get(stored.uuid)) ?? stored, request, noon + 2)).toBe(false);
});

it('confirming a new request for a paused subscription clears the recorded failures', async () => {
  const { subscription, stored } = await paused();
  const request = aRequest();
  await store.addRequest(stored, 'new', request);
  expect(await store.confirm(stored.uuid, 'new', noon + 9)).toMatchObject({ isActive: true, activeSince: noon + 9 });
  expect(await get(stored.uuid)).toEqual({
    ...subscription,
    requests: { new: { ...request, confirmedAt: noon + 9 } },
    callerHost: subscription.uuid,
    confirmedAt: noon,
    activeSince: noon + 9,
  });
  expect(await activeUuids()).toEqual([stored.uuid]);
});
