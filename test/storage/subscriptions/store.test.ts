import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { uuidRange, wholeTopic } from '../../../shared/domain/deliveries/shards.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hashToken, tokenLifetimeMs } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/store.ts';
import { aRequest, aSubscription, aTopic, noon, tokenOf } from '../../harness/builders.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { interfereWith } from '../../harness/interference.ts';

const dynamodb = useDynamodb();
const { permissions } = subscriptions;
const open = (table: string) => ({
  ...permissions.list(dynamodb.client, table),
  ...permissions.requestConfirmation(dynamodb.client, table),
  ...permissions.confirm(dynamodb.client, table),
  ...permissions.remove(dynamodb.client, table),
  ...permissions.listActive(dynamodb.client, table),
  ...permissions.deliver(dynamodb.client, table),
  ...permissions.removeByTopic(dynamodb.client, table),
});

const topic = aTopic({ name: 'CR', generation: 'first' });
const pending = (given: Partial<StoredSubscription> = {}) => aSubscription(topic, { isActive: false, ...given });
const tokenEnd = noon + tokenLifetimeMs;
const hashOf = ({ uuid }: { uuid: string }, fill?: number) => hashToken(tokenOf(uuid, fill));

let table: string;
let store: ReturnType<typeof open>;
beforeEach(async () => {
  table = await dynamodb.createTable('subscriptions');
  store = open(table);
});

const everybody = uuidRange(wholeTopic(0));
const get = async (uuid: string) => (await store.getMany([uuid]))[0];
const activeUuids = async (
  life: { topicUuid: string; generation: string } = { topicUuid: topic.uuid, generation: 'first' },
) => (await Array.fromAsync(store.listActive(life, everybody))).flat().map(({ uuid }) => uuid);

it('ensure returns an existing subscription and does not change its policy, token or other attributes', async () => {
  const subscription = pending();
  await store.ensure(subscription);
  const repeat = {
    ...subscription,
    countdownSeconds: 1,
    maxRetries: 0,
    requests: { other: aRequest() },
    createdAt: noon + 1,
  };
  expect(await store.ensure(repeat)).toEqual(subscription);
  expect(await get(subscription.uuid)).toEqual(subscription);
});

it('ensure stores the subscription of only one of many concurrent calls', async () => {
  const subscription = pending();
  const wanted = Array.from({ length: 8 }, (_, fill) => ({
    ...subscription,
    requests: { [hashOf(subscription, fill)]: aRequest() },
  }));
  const results = await Promise.all(wanted.map((one) => store.ensure(one)));
  expect(results.filter((result) => result === undefined)).toHaveLength(1);
  const stored = await get(subscription.uuid);
  for (const result of results) expect(result ?? stored).toEqual(stored);
});

describe('confirm', () => {
  it('confirm activates the subscription for a valid token, and returns the same result for a repeated call', async () => {
    const subscription = pending();
    await store.ensure(subscription);
    const request = { ...subscription.requests[hashOf(subscription)], confirmedAt: noon };
    const since = { activeSince: noon, confirmedAt: noon, requests: { [hashOf(subscription)]: request } };
    // If the request has no slot, the UUID of the subscription is stored as the host of the caller.
    const active = { ...subscription, isActive: true, ...since, callerHost: subscription.uuid };
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon)).toEqual(active);
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon + 1)).toEqual(active);
    expect(await activeUuids()).toEqual([subscription.uuid]);
  });

  it.each([
    ['the token is different', (one: StoredSubscription) => store.confirm(one.uuid, hashOf(one, 8), noon)],
    ['the token expires at this moment', (one: StoredSubscription) => store.confirm(one.uuid, hashOf(one), tokenEnd)],
    ['the token has expired', (one: StoredSubscription) => store.confirm(one.uuid, hashOf(one), tokenEnd + 1)],
  ])('confirm changes nothing if %s', async (_when, confirm) => {
    const subscription = pending();
    await store.ensure(subscription);
    expect(await confirm(subscription)).toBeUndefined();
    expect(await get(subscription.uuid)).toEqual(subscription);
    expect(await activeUuids()).toEqual([]);
  });

  it('confirm creates no subscription if none exists', async () => {
    const subscription = pending();
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon)).toBeUndefined();
    expect(await get(subscription.uuid)).toBeUndefined();
  });
});

describe('several requests for one subscription', () => {
  const others = { first: { countdownSeconds: 1, maxRetries: 0 }, second: { countdownSeconds: 3600, maxRetries: 168 } };
  const withTwoRequests = async () => {
    const subscription = pending({ ...others.first, owner: 'first' });
    await store.ensure(subscription);
    const request = aRequest({ ...others.second, caller: 'second', requestedAt: noon + 1, expiresAt: noon + 1000 });
    expect(await store.addRequest(subscription, 'second', request)).toBe(true);
    return subscription;
  };

  it('a used token cannot change or show the subscription after another request has been confirmed', async () => {
    const subscription = await withTwoRequests();
    await store.confirm(subscription.uuid, hashOf(subscription), noon + 2);
    await store.confirm(subscription.uuid, 'second', noon + 3);
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon + 4)).toBeUndefined();
    expect(await get(subscription.uuid)).toMatchObject(others.second);
  });

  it('drops expired requests', async () => {
    const subscription = await withTwoRequests();
    const stored = (await get(subscription.uuid)) ?? subscription;
    await store.addRequest(stored, 'late', aRequest({ requestedAt: noon + 1000 }));
    expect(Object.keys((await get(subscription.uuid))?.requests ?? {})).not.toContain('second');
  });
});

it('addRequest succeeds for only one of two concurrent calls', async () => {
  const subscription = pending();
  await store.ensure(subscription);
  const adding = ['a', 'b'].map((hash) => store.addRequest(subscription, hash, aRequest()));
  expect((await Promise.all(adding)).toSorted()).toEqual([false, true]);
});

it('addRequest changes nothing if the subscription is confirmed or deleted', async () => {
  const subscription = pending();
  expect(await store.addRequest(subscription, 'new', aRequest())).toBe(false);
  await store.ensure(subscription);
  await store.confirm(subscription.uuid, hashOf(subscription), noon);
  expect(await store.addRequest(subscription, 'new', aRequest())).toBe(false);
  expect((await get(subscription.uuid))?.requests).not.toHaveProperty('new');
});

describe('an unconfirmed subscription', () => {
  const gone = noon + 1000;
  const old = () => pending({ expiresAt: gone / 1000 });

  it('an unconfirmed subscription is kept for 30 days after its last token expires', async () => {
    const subscription = old();
    await store.ensure(subscription);
    const request = aRequest({ requestedAt: noon + 1, expiresAt: noon + 2000 });
    await store.addRequest(subscription, 'new', request);
    expect(await get(subscription.uuid)).toMatchObject({ expiresAt: (noon + 2000) / 1000 + 30 * 24 * 3600 });
  });

  it('an unconfirmed subscription is treated as deleted after it expires, even if its row still exists', async () => {
    const subscription = old();
    await store.ensure(subscription);
    expect((await store.list({}, gone - 1)).values).toHaveLength(1);
    expect((await store.list({}, gone)).values).toEqual([]);
    const next = { ...subscription, requests: { next: aRequest() }, createdAt: gone, expiresAt: gone };
    expect(await store.ensure({ ...next, createdAt: gone - 1 })).toEqual(subscription);
    expect(await store.ensure(next)).toBeUndefined();
  });

  it('a confirmed subscription does not expire, even if it is paused and requested again', async () => {
    const subscription = old();
    await store.ensure(subscription);
    await store.confirm(subscription.uuid, hashOf(subscription), noon);
    expect(await get(subscription.uuid)).not.toHaveProperty('expiresAt');
    await store.recordHealth(subscription, { pause: 'gone' });
    const paused = (await get(subscription.uuid)) ?? subscription;
    expect(await store.addRequest(paused, 'new', aRequest())).toBe(true);
    expect(await get(subscription.uuid)).not.toHaveProperty('expiresAt');
  });
});

it('markRequestFailed marks only the request with the given token', async () => {
  const subscription = pending();
  await store.ensure(subscription);
  await store.markRequestFailed(subscription.uuid, hashOf(subscription, 8));
  expect(await get(subscription.uuid)).toEqual(subscription);
  await store.markRequestFailed(subscription.uuid, hashOf(subscription));
  expect((await get(subscription.uuid))?.requests[hashOf(subscription)]).toMatchObject({ hasFailed: true });
});

it('markRequestFailed creates no subscription if none exists', async () => {
  await store.markRequestFailed(pending().uuid, 'hash');
  expect((await store.list({}, noon)).values).toEqual([]);
});

describe('listActive', () => {
  it('listActive returns only the active subscriptions of the given generation of the topic', async () => {
    const activeOne = { protocol: 'email', address: 'a@example.org', activeSince: noon } as const;
    const [active, waiting] = [aSubscription(topic, activeOne), pending()];
    const others = [aSubscription(aTopic()), aSubscription({ ...topic, generation: 'second' })];
    await Promise.all([active, waiting, ...others].map((one) => store.ensure(one)));
    const life = { topicUuid: topic.uuid, generation: 'first' };
    expect((await Array.fromAsync(store.listActive(life, everybody))).flat()).toEqual([
      { uuid: active.uuid, protocol: 'email', activeSince: noon, subjects: [] },
    ]);
    expect(await activeUuids({ ...life, generation: 'third' })).toEqual([]);
  });

  it('listActive returns every subscription once, in ascending order, over several pages', async () => {
    const table = await dynamodb.createTable('subscriptions');
    // One page of 1 MB can contain more than a thousand of these rows, so the test creates 2,500 rows.
    const life = `${topic.uuid}#${'first'.padEnd(900, '.')}`;
    const uuids = Array.from(
      { length: 2500 },
      (_, index) => `${String(index).padStart(8, '0')}-0000-8000-8000-000000000000`,
    );
    const rows = uuids.map((uuid) => ({
      PutRequest: { Item: { uuid: { S: uuid }, activeTopic: { S: life }, protocol: { S: 'http' } } },
    }));
    for (let from = 0; from < rows.length; from += 25) {
      const RequestItems = { [table]: rows.slice(from, from + 25) };
      await dynamodb.client.send(new BatchWriteItemCommand({ RequestItems }));
    }
    const pages = await Array.fromAsync(
      open(table).listActive({ topicUuid: topic.uuid, generation: 'first'.padEnd(900, '.') }, everybody),
    );
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ uuid }) => uuid)).toEqual(uuids);
  });
});

it('removeView returns true once, and fan-out then no longer finds the subscription', async () => {
  const subscription = aSubscription(topic);
  await store.ensure(subscription);
  expect(await store.removeView(subscription, subscription)).toBe(true);
  expect(await store.removeView(subscription, subscription)).toBe(false);
  expect(await activeUuids()).toEqual([]);
});

it('removeView keeps a subscription that was deleted and created again after it was read', async () => {
  const subscription = aSubscription(topic);
  await store.ensure({ ...subscription, createdAt: subscription.createdAt + 1 });
  expect(await store.removeView(subscription, subscription)).toBe(false);
  expect(await dynamodb.rowsOf(table)).toHaveLength(1);
});

describe('removeByTopic', () => {
  const removeLives = (current: string | undefined, before = 'zzz') =>
    store.removeByTopic(
      { topicUuid: topic.uuid, before },
      async () => current,
      () => true,
    );

  it('removeByTopic deletes the subscriptions of all past generations of the topic, and no other subscriptions', async () => {
    const before = aSubscription({ ...topic, generation: 'before' });
    const ended = [before, aSubscription(topic), aSubscription(topic), pending()];
    const kept = [aSubscription(aTopic()), aSubscription({ ...topic, generation: 'second' })];
    await Promise.all([...ended, ...kept].map((one) => store.ensure(one)));
    await removeLives('second');
    await removeLives('second');
    const left = (await store.list({}, noon)).values.map(({ uuid }) => uuid);
    expect(left.toSorted()).toEqual(kept.map(({ uuid }) => uuid).toSorted());
  });

  it('removeByTopic deletes the subscriptions of all generations if the topic does not exist', async () => {
    const other = aSubscription(aTopic());
    const lives = ['first', 'second', 'third'].map((generation) => aSubscription({ ...topic, generation }));
    await Promise.all([...lives, other].map((one) => store.ensure(one)));
    await removeLives(undefined);
    expect((await store.list({}, noon)).values).toEqual([other]);
  });

  it('removeByTopic keeps a generation that began after the deletion, even if the current generation is not given', async () => {
    const [old, next] = ['first', 'third'].map((generation) => aSubscription({ ...topic, generation }));
    await Promise.all([old, next].map((one) => one && store.ensure(one)));
    await removeLives(undefined, 'second');
    expect((await store.list({}, noon)).values).toEqual([next]);
  });

  it('removeByTopic keeps a subscription that is created in the next generation after it was read', async () => {
    const subscription = aSubscription(topic);
    const next = { ...subscription, generation: 'second' };
    await store.ensure(subscription);
    onTestFinished(
      interfereWith(dynamodb.client, () => ({
        async call({ command }, go) {
          if (command === 'DeleteItem') await store.ensure(next);
          return go();
        },
      })),
    );
    await removeLives(undefined);
    expect(await get(subscription.uuid)).toEqual(next);
  });
});

it('getMany can return more than 100 subscriptions, although one DynamoDB request reads at most 100', async () => {
  const many = Array.from({ length: 130 }, () => aSubscription(topic));
  await Promise.all(many.map((one) => store.ensure(one)));
  const found = await store.getMany(many.map(({ uuid }) => uuid));
  expect(new Set(found.map(({ uuid }) => uuid))).toEqual(new Set(many.map(({ uuid }) => uuid)));
});
