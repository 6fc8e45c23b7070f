import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { bucketOf, segmentsFrom, uuidRange, wholeTopic } from '../../../shared/domain/deliveries/plan-tasks.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hashToken, tokenLifetimeMs } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/subscriptions.ts';
import { aRequest, aSubscription, aTopic, noon, tokenOf } from '../../harness/builders.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingAnswers } from '../../harness/lost-responses.ts';

const dynamodb = useDynamodb();
const { permissions } = subscriptions;
const open = (table: string) => ({
  ...permissions.read(dynamodb.client, table),
  ...permissions.ask(dynamodb.client, table),
  ...permissions.confirm(dynamodb.client, table),
  ...permissions.end(dynamodb.client, table),
  ...permissions.fanOut(dynamodb.client, table),
  ...permissions.deliver(dynamodb.client, table),
  ...permissions.cleanUp(dynamodb.client, table),
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
) => (await Array.fromAsync(store.active(life, everybody))).flat().map(({ uuid }) => uuid);

describe('ensure', () => {
  it('stores a new subscription as given, and says that nobody was there', async () => {
    const subscription = pending();
    expect(await store.ensure(subscription)).toBeUndefined();
    expect(await get(subscription.uuid)).toEqual(subscription);
  });

  it('answers the stored one to a repeat and leaves it as it is, policy and token included', async () => {
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

  it('lets one of many repeats at once store it', async () => {
    const subscription = pending();
    const wanted = Array.from({ length: 8 }, (_, fill) => ({
      ...subscription,
      requests: { [hashOf(subscription, fill)]: aRequest() },
    }));
    const answers = await Promise.all(wanted.map((one) => store.ensure(one)));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    const stored = await get(subscription.uuid);
    for (const answer of answers) expect(answer ?? stored).toEqual(stored);
  });

  it('says that nobody was there, though the answer to its own write was lost', async () => {
    const subscription = pending();
    const { client, lost } = losingAnswers(dynamodb.client, 'PutItemCommand');
    expect(await permissions.ask(client, table).ensure(subscription)).toBeUndefined();
    expect(lost()).toBe(1);
    expect(await get(subscription.uuid)).toEqual(subscription);
  });

  it('starts anew in the next life of the topic, waiting to be confirmed again', async () => {
    const subscription = aSubscription(topic);
    await store.ensure(subscription);
    const next = { ...subscription, generation: 'second', isActive: false };
    expect(await store.ensure(next)).toBeUndefined();
    expect(await get(subscription.uuid)).toEqual(next);
    expect(await activeUuids()).toEqual([]);
  });
});

describe('confirm', () => {
  it('activates the subscription of a valid token, twice if asked twice', async () => {
    const subscription = pending();
    await store.ensure(subscription);
    const request = { ...subscription.requests[hashOf(subscription)], confirmedAt: noon };
    const since = { activeSince: noon, confirmedAt: noon, requests: { [hashOf(subscription)]: request } };
    const active = { ...subscription, isActive: true, ...since };
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon)).toEqual(active);
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon + 1)).toEqual(active);
    expect(await activeUuids()).toEqual([subscription.uuid]);
  });

  it.each([
    ['with another token', (one: StoredSubscription) => store.confirm(one.uuid, hashOf(one, 8), noon)],
    ['at the end of the token', (one: StoredSubscription) => store.confirm(one.uuid, hashOf(one), tokenEnd)],
    ['later', (one: StoredSubscription) => store.confirm(one.uuid, hashOf(one), tokenEnd + 1)],
  ])('does nothing %s', async (_when, confirm) => {
    const subscription = pending();
    await store.ensure(subscription);
    expect(await confirm(subscription)).toBeUndefined();
    expect(await get(subscription.uuid)).toEqual(subscription);
    expect(await activeUuids()).toEqual([]);
  });

  it('makes no subscription where there is none', async () => {
    const subscription = pending();
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon)).toBeUndefined();
    expect(await get(subscription.uuid)).toBeUndefined();
  });
});

describe('a subscription that several ask to be confirmed', () => {
  const others = { first: { countdownSeconds: 1, maxRetries: 0 }, second: { countdownSeconds: 3600, maxRetries: 168 } };
  const asked = async () => {
    const subscription = pending({ ...others.first, owner: 'first' });
    await store.ensure(subscription);
    const request = aRequest({ ...others.second, caller: 'second', askedAt: noon + 1, expiresAt: noon + 1000 });
    expect(await store.addRequest(subscription, 'second', request)).toBe(true);
    return subscription;
  };

  it('shows what was asked last', async () => {
    const { uuid } = await asked();
    expect(await get(uuid)).toMatchObject({ ...others.second, owner: 'second', isActive: false });
  });

  it('becomes what the confirmed one asked, whoever was the first and the last', async () => {
    const { uuid } = await asked();
    expect(await store.confirm(uuid, 'second', noon + 2)).toMatchObject({ ...others.second, owner: 'second' });
    const subscription = await asked();
    const first = await store.confirm(subscription.uuid, hashOf(subscription), noon + 2);
    expect(first).toMatchObject({ ...others.first, owner: 'client', isActive: true });
  });

  it('is not changed again by a token that has confirmed it', async () => {
    const subscription = await asked();
    await store.confirm(subscription.uuid, hashOf(subscription), noon + 2);
    await store.confirm(subscription.uuid, 'second', noon + 3);
    expect(await store.confirm(subscription.uuid, hashOf(subscription), noon + 4)).toMatchObject(others.second);
  });

  it('keeps five open requests: of a sixth the caller loses its own oldest, not that of another', async () => {
    const subscription = await asked();
    for (const number of [1, 2, 3, 4, 5]) {
      const stored = (await get(subscription.uuid)) ?? subscription;
      const request = aRequest({ caller: 'second', askedAt: noon + 1 + number });
      expect(await store.addRequest(stored, `again ${number}`, request)).toBe(true);
    }
    const { requests = {} } = (await get(subscription.uuid)) ?? {};
    const left = [hashOf(subscription), 'again 2', 'again 3', 'again 4', 'again 5'];
    expect(Object.keys(requests).toSorted()).toEqual(left.toSorted());
  });

  it('loses the requests that have expired', async () => {
    const subscription = await asked();
    const stored = (await get(subscription.uuid)) ?? subscription;
    await store.addRequest(stored, 'late', aRequest({ askedAt: noon + 1000 }));
    expect(Object.keys((await get(subscription.uuid))?.requests ?? {})).not.toContain('second');
  });
});

describe('addRequest', () => {
  it('is done by one of two at once', async () => {
    const subscription = pending();
    await store.ensure(subscription);
    const adding = ['a', 'b'].map((hash) => store.addRequest(subscription, hash, aRequest()));
    expect((await Promise.all(adding)).toSorted()).toEqual([false, true]);
  });

  it('is done though the answer to our own write was lost', async () => {
    const subscription = pending();
    await store.ensure(subscription);
    const { client, lost } = losingAnswers(dynamodb.client, 'UpdateItemCommand');
    expect(await permissions.ask(client, table).addRequest(subscription, 'new', aRequest())).toBe(true);
    expect(lost()).toBe(1);
    expect((await get(subscription.uuid))?.requests).toHaveProperty('new');
  });

  it('does nothing once the subscription is confirmed or gone', async () => {
    const subscription = pending();
    expect(await store.addRequest(subscription, 'new', aRequest())).toBe(false);
    await store.ensure(subscription);
    await store.confirm(subscription.uuid, hashOf(subscription), noon);
    expect(await store.addRequest(subscription, 'new', aRequest())).toBe(false);
    expect((await get(subscription.uuid))?.requests).not.toHaveProperty('new');
  });
});

describe('a subscription that nobody has confirmed', () => {
  const gone = noon + 1000;
  const old = () => pending({ expiresAt: gone / 1000 });

  it('is kept thirty days beyond its last token', async () => {
    const subscription = old();
    await store.ensure(subscription);
    const request = aRequest({ askedAt: noon + 1, expiresAt: noon + 2000 });
    await store.addRequest(subscription, 'new', request);
    expect(await get(subscription.uuid)).toMatchObject({ expiresAt: (noon + 2000) / 1000 + 30 * 24 * 3600 });
  });

  it('counts as gone from then on, though its row is there', async () => {
    const subscription = old();
    await store.ensure(subscription);
    expect((await store.list({}, gone - 1)).values).toHaveLength(1);
    expect((await store.list({}, gone)).values).toEqual([]);
    expect(await store.remove(subscription.uuid, gone)).toBe(false);
    await store.ensure(subscription);
    const next = { ...subscription, requests: { next: aRequest() }, createdAt: gone, expiresAt: gone };
    expect(await store.ensure({ ...next, createdAt: gone - 1 })).toEqual(subscription);
    expect(await store.ensure(next)).toBeUndefined();
  });

  it('stays for good once it is confirmed, paused and asked again too', async () => {
    const subscription = old();
    await store.ensure(subscription);
    await store.confirm(subscription.uuid, hashOf(subscription), noon);
    expect(await get(subscription.uuid)).not.toHaveProperty('expiresAt');
    await store.noteHealth(subscription, { pause: 'gone' });
    const paused = (await get(subscription.uuid)) ?? subscription;
    expect(await store.addRequest(paused, 'new', aRequest())).toBe(true);
    expect(await get(subscription.uuid)).not.toHaveProperty('expiresAt');
  });
});

describe('confirmationFailed', () => {
  it('is noted for its token, and for no other', async () => {
    const subscription = pending();
    await store.ensure(subscription);
    await store.confirmationFailed(subscription.uuid, hashOf(subscription, 8));
    expect(await get(subscription.uuid)).toEqual(subscription);
    await store.confirmationFailed(subscription.uuid, hashOf(subscription));
    expect((await get(subscription.uuid))?.requests[hashOf(subscription)]).toMatchObject({ hasFailed: true });
  });

  it('makes no subscription where there is none', async () => {
    await store.confirmationFailed(pending().uuid, 'hash');
    expect((await store.list({}, noon)).values).toEqual([]);
  });
});

describe('active', () => {
  it('gives only active subscriptions of that life of that topic', async () => {
    const activeOne = { protocol: 'email', address: 'a@example.org', activeSince: noon } as const;
    const [active, waiting] = [aSubscription(topic, activeOne), pending()];
    const others = [aSubscription(aTopic()), aSubscription({ ...topic, generation: 'second' })];
    await Promise.all([active, waiting, ...others].map((one) => store.ensure(one)));
    const life = { topicUuid: topic.uuid, generation: 'first' };
    expect((await Array.fromAsync(store.active(life, everybody))).flat()).toEqual([
      { uuid: active.uuid, protocol: 'email', activeSince: noon, subjects: [] },
    ]);
    expect(await activeUuids({ ...life, generation: 'third' })).toEqual([]);
  });

  it('gives those of a segment only, each segment its own, and all of them all', async () => {
    const many = Array.from({ length: 40 }, () => aSubscription(topic));
    await Promise.all(many.map((one) => store.ensure(one)));
    const life = { topicUuid: topic.uuid, generation: 'first' };
    const seen: string[] = [];
    for (const segment of segmentsFrom(4, 0, 3)) {
      const uuids = (await Array.fromAsync(store.active(life, uuidRange(segment)))).flat().map(({ uuid }) => uuid);
      for (const uuid of uuids) {
        expect(bucketOf(uuid, 4)).toBeGreaterThanOrEqual(segment.from);
        expect(bucketOf(uuid, 4)).toBeLessThan(segment.to);
      }
      seen.push(...uuids);
    }
    expect(seen).toEqual(many.map(({ uuid }) => uuid).toSorted());
  });

  it('gives every one once, ascending, over several pages', async () => {
    const table = await dynamodb.createTable('subscriptions');
    // Rows of the index are small: a page of 1 MB holds thousands, so a few thousand make several pages.
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
      open(table).active({ topicUuid: topic.uuid, generation: 'first'.padEnd(900, '.') }, everybody),
    );
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ uuid }) => uuid)).toEqual(uuids);
  });
});

describe('remove', () => {
  it('is true once, and fan-out finds it no more', async () => {
    const subscription = aSubscription(topic);
    await store.ensure(subscription);
    expect(await store.remove(subscription.uuid, noon)).toBe(true);
    expect(await store.remove(subscription.uuid, noon)).toBe(false);
    expect(await activeUuids()).toEqual([]);
  });
});

describe('removeAll', () => {
  it('removes the subscriptions of every life but the present one, waiting ones too, and nobody else', async () => {
    const before = aSubscription({ ...topic, generation: 'before' });
    const ended = [before, aSubscription(topic), aSubscription(topic), pending()];
    const kept = [aSubscription(aTopic()), aSubscription({ ...topic, generation: 'second' })];
    await Promise.all([...ended, ...kept].map((one) => store.ensure(one)));
    await store.removeAll({ topicUuid: topic.uuid, before: 'zzz' }, 'second', () => true);
    await store.removeAll({ topicUuid: topic.uuid, before: 'zzz' }, 'second', () => true);
    const left = (await store.list({}, noon)).values.map(({ uuid }) => uuid);
    expect(left.toSorted()).toEqual(kept.map(({ uuid }) => uuid).toSorted());
  });

  it('removes those of every life when the topic has none', async () => {
    const other = aSubscription(aTopic());
    const lives = ['first', 'second', 'third'].map((generation) => aSubscription({ ...topic, generation }));
    await Promise.all([...lives, other].map((one) => store.ensure(one)));
    await store.removeAll({ topicUuid: topic.uuid, before: 'zzz' }, undefined, () => true);
    expect((await store.list({}, noon)).values).toEqual([other]);
  });

  it('spares a life that began after the deletion, though the topic was not there when it looked', async () => {
    const [old, next] = ['first', 'third'].map((generation) => aSubscription({ ...topic, generation }));
    await Promise.all([old, next].map((one) => one && store.ensure(one)));
    await store.removeAll({ topicUuid: topic.uuid, before: 'second' }, undefined, () => true);
    expect((await store.list({}, noon)).values).toEqual([next]);
  });

  it('removes nobody while the topic is still there', async () => {
    const subscription = aSubscription(topic);
    await store.ensure(subscription);
    await store.removeAll({ topicUuid: topic.uuid, before: 'zzz' }, 'first', () => true);
    expect(await get(subscription.uuid)).toEqual(subscription);
  });

  it('spares a subscription that moves on to the next life between the read and the removal', async () => {
    const subscription = aSubscription(topic);
    const next = { ...subscription, generation: 'second' };
    await store.ensure(subscription);
    dynamodb.client.middlewareStack.add(
      (removal, { commandName }) =>
        async (args) => {
          if (commandName === 'DeleteItemCommand') await store.ensure(next);
          return removal(args);
        },
      { step: 'initialize', name: 'moveOn' },
    );
    try {
      await store.removeAll({ topicUuid: topic.uuid, before: 'zzz' }, undefined, () => true);
    } finally {
      dynamodb.client.middlewareStack.remove('moveOn');
    }
    expect(await get(subscription.uuid)).toEqual(next);
  });

  it('spares a subscription that has moved on to the next life', async () => {
    const subscription = aSubscription(topic);
    await store.ensure(subscription);
    await store.ensure({ ...subscription, generation: 'second' });
    await store.removeAll({ topicUuid: topic.uuid, before: 'zzz' }, 'second', () => true);
    expect(await get(subscription.uuid)).toMatchObject({ generation: 'second' });
  });
});

describe('getMany', () => {
  it('gives those that are there, whatever their state', async () => {
    const [active, waiting] = [aSubscription(topic), pending()];
    await Promise.all([active, waiting].map((one) => store.ensure(one)));
    const found = await store.getMany([active.uuid, aSubscription(topic).uuid, waiting.uuid]);
    expect(found.map(({ uuid }) => uuid).toSorted()).toEqual([active.uuid, waiting.uuid].toSorted());
    expect(await store.getMany([])).toEqual([]);
  });

  it('gives more than the 100 that DynamoDB reads at once', async () => {
    const many = Array.from({ length: 130 }, () => aSubscription(topic));
    await Promise.all(many.map((one) => store.ensure(one)));
    const found = await store.getMany(many.map(({ uuid }) => uuid));
    expect(new Set(found.map(({ uuid }) => uuid))).toEqual(new Set(many.map(({ uuid }) => uuid)));
  });
});

describe('list', () => {
  it('gives every subscription once, page by page', async () => {
    const all = Array.from({ length: 5 }, () => aSubscription(topic));
    await Promise.all(all.map((one) => store.ensure(one)));
    const first = await store.list({ limit: 3 }, noon);
    const second = await store.list({ limit: 3, cursor: first.cursor }, noon);
    const listed = [...first.values, ...second.values].map(({ uuid }) => uuid);
    expect(listed.toSorted()).toEqual(all.map(({ uuid }) => uuid).toSorted());
    expect(second.cursor).toBeUndefined();
  });
});
