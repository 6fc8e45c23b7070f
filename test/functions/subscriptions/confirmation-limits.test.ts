import { describe, expect, it } from 'vitest';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import { keyedHash } from '../../../shared/domain/name-uuid.ts';
import { namingKey } from '../../../shared/domain/naming-key.ts';
import { declinedId } from '../../../shared/domain/subscriptions/link-tokens.ts';
import { foldMailbox } from '../../../shared/domain/subscriptions/mailbox-address.ts';
import { hostOfUrl } from '../../../shared/domain/subscriptions/url-address.ts';
import { limits } from '../../../shared/storage/limits/store.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/store.ts';
import { secretOfTests } from '../../harness/builders.ts';
import { useColdStarts } from '../../harness/cold-starts.ts';
import { useHarness } from '../../harness/harness.ts';

const harness = useHarness({
  settings: { allowedNetworks: '127.0.0.0/8', confirmationsPerCaller: '40', subscriptionsPerHost: '30' },
});
const { start } = useColdStarts(harness);
/** Returns the confirmation requests in the queues, without those that the SDK sent twice on a busy machine. */
const asked = () => {
  const tasks = [...harness.payloadsIn<DeliveryTask>('http'), ...harness.payloadsIn<DeliveryTask>('email')];
  const uuids = tasks.map(({ content, subscriptionUuids }) => {
    const token = content.type === 'SubscriptionConfirmation' ? content.token : '';
    return [token, subscriptionUuids[0] ?? ''] as const;
  });
  return [...new Map(uuids)].map(([token, uuid]) => ({ token, uuid }));
};

async function open() {
  const topic = await harness.newTopic();
  const subscribe = await start(() => import('../../../functions/subscriptions/subscribe.ts'));
  const unsubscribe = await start(() => import('../../../functions/subscriptions/unsubscribe.ts'));
  const confirm = await start(() => import('../../../functions/subscriptions/confirm-subscription.ts'));
  return {
    topic,
    leave: (uuid: string) => unsubscribe({ path: { uuid } }),
    confirm: (token: string) => confirm({ query: `token=${token}` }),
    ask: (address: string, more: Record<string, string> = {}, caller = 'client') => {
      const protocol = address.includes('://') ? 'http' : 'email';
      const query = String(new URLSearchParams({ topic: topic.uuid, protocol, address, ...more }));
      return subscribe({ query, caller });
    },
  };
}
type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['ask']>>;
/** Returns how many of the requests were accepted and how many were rejected with 429. */
const statuses = (answers: readonly Answer[]) => ({
  200: answers.filter(({ status }) => status === 200).length,
  429: answers.filter(({ status }) => status === 429).length,
});

describe('confirmation requests to one host', () => {
  const url = (path: number, port = 80) => `http://127.0.0.1:${port}/events?i=${path}`;
  const many = Array.from({ length: 30 }, (_, index) => url(index, 1000 + index));

  it('a client can have at most 25 unconfirmed subscriptions per host, even if many requests arrive at once', async () => {
    const { ask } = await open();
    const answers = await Promise.all(many.map((address) => ask(address)));
    expect(statuses(answers)).toEqual({ 200: 25, 429: 5 });
    expect(await harness.rows('subscriptions')).toHaveLength(25);
    expect(asked()).toHaveLength(25);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.json.code).toBe(1430);
    expect(refused?.json.message).toMatch(/^this client has 25 unconfirmed requests .* again in \d+ seconds$/);
    expect(Number(refused?.headers?.['retry-after'])).toBeGreaterThan(3 * 24 * 3600 - 60);
    expect(JSON.stringify(await harness.rows('limits'))).not.toContain('127.0.0.1');
    // Requests from other clients and requests to other hosts are still accepted.
    expect((await ask(url(99), {}, 'other client')).status).toBe(200);
    expect((await ask('http://127.0.0.2/events')).status).toBe(200);
  });

  it('confirming a subscription releases its slot, but deleting the subscription does not', async () => {
    const { ask, leave, confirm } = await open();
    for (const address of many.slice(0, 25)) await ask(address);
    const [first, second] = asked();
    await leave(first?.uuid ?? '');
    expect((await ask(many[0] ?? '')).status).toBe(429);
    for (const _ of [1, 2]) expect((await confirm(second?.token ?? '')).status).toBe(200);
    expect((await ask(many[0] ?? '')).status).toBe(200);
    expect((await ask(many[29] ?? '')).status).toBe(429);
  });

  it('each confirmation request uses a slot, even if requests for one subscription differ only in their policies', async () => {
    const { ask, confirm } = await open();
    const answers: Answer[] = [];
    for (let seconds = 1; seconds <= 30; seconds++) answers.push(await ask(url(1), { policy: `${seconds},7` }));
    expect(statuses(answers)).toEqual({ 200: 25, 429: 5 });
    expect(asked()).toHaveLength(25);
    // Repeating an identical request does not use another slot.
    expect((await ask(url(1), { policy: '25,7' })).status).toBe(200);
    expect((await ask(url(2))).status).toBe(429);
    expect((await ask(url(1), { policy: '7,7' }, 'other client')).status).toBe(200);
    // A confirmation also releases the slots of the client's other open requests for that subscription.
    expect((await confirm(asked()[24]?.token ?? '')).json).toMatchObject({ policy: '25,7', active: true });
    expect((await ask(url(2))).status).toBe(200);
  });
});

describe('a repeated request after a failed attempt', () => {
  const url = (path: number) => `http://127.0.0.1/events?i=${path}`;
  const fail = async (uuid: string) => {
    const [hash = ''] = Object.keys((await harness.subscription(uuid)).requests);
    await harness.subscriptionStore().markRequestFailed(uuid, hash);
  };

  it('a repeated request is sent immediately without using another slot, but at most once per minute and subscription', async () => {
    const { ask } = await open();
    for (let path = 0; path < 25; path++) expect((await ask(url(path))).status).toBe(200);
    const { json } = await ask(url(0));
    await fail(json.uuid);
    expect((await ask(url(0))).status).toBe(200);
    expect(asked()).toHaveLength(26);
    await fail(json.uuid);
    const refused = await ask(url(0));
    expect([refused.status, refused.json.code]).toEqual([429, 1430]);
    expect(Number(refused.headers?.['retry-after'])).toBeLessThanOrEqual(60);
    expect(asked()).toHaveLength(26);
  });

  it('a repeated request is rejected with 429 if the host has already had 60 repeated requests in the hour', async () => {
    const { ask } = await open();
    const { json } = await ask(url(0));
    await fail(json.uuid);
    const hour = Math.floor(Date.now() / 3_600_000);
    const id = keyedHash(namingKey(secretOfTests, 'limits'), 'again', '127.0.0.1');
    await harness.write('limits', ...[hour, hour + 1].map((slot) => ({ id, slot: String(slot), count: 60 })));
    const refused = await ask(url(0));
    expect([refused.status, refused.json.message]).toEqual([429, expect.stringMatching(/^this host had 60 repeated/)]);
  });
});

describe('subscriptions of one client at one host', () => {
  const url = (path: number) => `http://127.0.0.1/events?i=${path}`;

  it('a client with 30 subscriptions at a host, confirmed or not, cannot create another until one of them ends', async () => {
    const { topic, ask, leave, confirm } = await open();
    for (let path = 0; path < 30; path++) {
      expect((await ask(url(path))).status).toBe(200);
      if (path < 20) await confirm(asked().at(-1)?.token ?? '');
    }
    const refused = await ask(url(30));
    expect([refused.status, refused.json.code]).toEqual([429, 1433]);
    expect(refused.json.message).toMatch(/^this client has 30 subscriptions at this host, .* subscribe again$/);
    expect(await harness.rows('subscriptions')).toHaveLength(30);
    // Repeated requests, other hosts and other clients are still accepted.
    expect((await ask(url(29), { policy: '7,7' })).status).toBe(200);
    expect((await ask('http://127.0.0.2/events')).status).toBe(200);
    expect((await ask(url(30), {}, 'other client')).status).toBe(200);
    const [first] = asked();
    await leave(first?.uuid ?? '');
    expect((await ask(url(31))).status).toBe(200);
    expect((await ask(url(32))).status).toBe(429);
    // The clean-up deletes all subscriptions of the topic.
    const store = subscriptions.permissions.removeByTopic(harness.dynamodb.client, harness.tables.subscriptions);
    const [goOn, hasTime] = [async () => undefined, () => true];
    await store.removeByTopic({ topicUuid: topic.uuid, before: '~' }, goOn, hasTime);
    expect(await harness.rows('subscriptions')).toEqual([]);
  });

  it('a subscription counts towards the limit of the client that takes it over', async () => {
    const { ask, confirm } = await open();
    await ask(url(0), {}, 'first');
    await ask(url(0), {}, 'second');
    for (const { token } of asked()) await confirm(token);
    const [row] = await harness.rows('subscriptions');
    const [first, second] = Object.values(row?.requests ?? {}).toSorted((a, b) => a.requestedAt - b.requestedAt);
    expect([row?.owner, row?.callerHost]).toEqual(['second', second?.hostSlot?.id]);
    expect(row?.callerHost).not.toBe(first?.hostSlot?.id);
  });
});

describe('confirmation requests to one mailbox', () => {
  it('a mailbox gets at most five confirmation requests a day from all clients combined, even if it unsubscribes each time', async () => {
    const { ask, leave } = await open();
    const answers: Answer[] = [];
    for (let times = 0; times < 12; times++) {
      const answer = await ask('ann@example.org', {}, `client ${times}`);
      answers.push(answer);
      if (answer.status === 200) await leave(answer.json.uuid);
    }
    expect(statuses(answers)).toEqual({ 200: 5, 429: 7 });
    expect(asked()).toHaveLength(5);
    expect(await harness.rows('subscriptions')).toEqual([]);
    expect(Number(answers.at(-1)?.headers?.['retry-after'])).toBeGreaterThan(24 * 3600 - 60);
  });

  it('addresses that differ only in tags or letter case count as one mailbox, even when the requests arrive at once', async () => {
    const { ask } = await open();
    const variants = Array.from({ length: 20 }, (_, index) => `${index % 2 ? 'ann' : 'ANN'}+${index}@Example.ORG`);
    const asking = variants.map((address, index) => ask(address, {}, `client ${index}`));
    expect(statuses(await Promise.all(asking))).toEqual({ 200: 5, 429: 15 });
    expect((await ask('a.nn@example.org')).status).toBe(200);
  });

  it('a client can send a mailbox at most two requests a day, so that other clients can still reach the mailbox', async () => {
    const { ask } = await open();
    const mailboxes = Array.from({ length: 5 }, (_, index) => `citizen${index}@example.org`);
    const policies = Array.from({ length: 6 }, (_, index) => ({ policy: `${index + 1},7` }));
    const attack = mailboxes.flatMap((mailbox) => policies.map((policy) => ask(mailbox, policy, 'attacker')));
    const answers = await Promise.all(attack);
    expect(statuses(answers)).toEqual({ 200: 10, 429: 20 });
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.json.code).toBe(1430);
    expect(refused?.json.message).toMatch(
      /^this client sent 2 confirmation requests to this mailbox .* again in \d+ seconds$/,
    );
    expect(Number(refused?.headers?.['retry-after'])).toBeGreaterThan(24 * 3600 - 60);
    for (const caller of ['ministry', 'hospital'])
      for (const mailbox of mailboxes) expect((await ask(mailbox, {}, caller)).status).toBe(200);
    expect(asked()).toHaveLength(20);
    // The mailbox has had four requests. Only one more request from any client is accepted.
    const last = ['2,2', '3,3'].map((policy) => ask('citizen0@example.org', { policy }, 'ministry'));
    expect(statuses(await Promise.all(last))).toEqual({ 200: 1, 429: 1 });
  });

  it('identical requests that arrive at once count as one request, and none of them is rejected', async () => {
    const { ask } = await open();
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('ann@example.org')));
    expect(statuses(answers)).toEqual({ 200: 12, 429: 0 });
    expect(asked()).toHaveLength(1);
  });
});

describe('a mailbox that declines requests', () => {
  const decline = async (address: string) => {
    const id = declinedId(namingKey(secretOfTests, 'limits'), address);
    await limits.permissions.declineRequests(harness.dynamodb.client, harness.tables.limits).declineRequests(id);
  };

  it('a mailbox that declines requests cannot be subscribed, even with a tag in the address, and nothing is stored', async () => {
    await decline('ann@example.org');
    const { ask } = await open();
    const answers = await Promise.all(['ann@example.org', 'Ann+x@example.org'].map((address) => ask(address)));
    for (const { status, json } of answers) expect([status, json.code]).toEqual([400, 1013]);
    expect(await harness.rows('subscriptions')).toEqual([]);
    expect(asked()).toEqual([]);
    expect(await harness.rows('limits')).toHaveLength(1);
    expect((await ask('eve@example.org')).status).toBe(200);
  });

  it('a mailbox that declines requests receives no further requests, but can still confirm earlier requests', async () => {
    const { ask, confirm } = await open();
    await ask('ann@example.org');
    await decline('ann@example.org');
    for (const policy of ['3600,168', '7,7']) {
      const { status, json } = await ask('ann@example.org', { policy });
      expect([status, json.code]).toEqual([400, 1013]);
    }
    expect(asked()).toHaveLength(1);
    await confirm(asked()[0]?.token ?? '');
    expect((await ask('ann@example.org')).json).toMatchObject({ active: true });
  });

  it('a mailbox can be subscribed again after an operator allows new requests, even if it has an active subscription', async () => {
    const { ask, confirm } = await open();
    const { json } = await ask('ann@example.org');
    await confirm(asked()[0]?.token ?? '');
    await decline('ann@example.org');
    expect((await ask('ann@example.org')).json).toEqual({ ...json, active: true });
    const allow = (await import('../../../functions/subscriptions/allow-requests.ts')).handler;
    expect(await allow({ address: ' Ann+y@example.org' })).toEqual({ allowed: 1 });
    expect(await allow({ address: 'ann@example.org' })).toEqual({ allowed: 0 });
    expect((await ask('ann+other@example.org')).status).toBe(200);
  });
});

it('a client can send at most `confirmationsPerCaller` confirmation requests per hour to all hosts combined', async () => {
  const { ask } = await open();
  const hosts = Array.from({ length: 45 }, (_, index) => `http://127.0.1.${index}/`);
  expect(statuses(await Promise.all(hosts.map((address) => ask(address))))).toEqual({ 200: 40, 429: 5 });
  expect(asked()).toHaveLength(40);
  expect((await ask('http://127.0.2.1/', {}, 'other client')).status).toBe(200);
  // A rejected request releases its slot.
  expect((await harness.rows('limits')).filter(({ holder }) => holder !== undefined)).toHaveLength(41);
});

it.each([
  ['Ann+news@example.org', 'ann@example.org'],
  ['a.n.n@example.org', 'a.n.n@example.org'],
  ['+tag@example.org', '+tag@example.org'],
  ['A.n.n+news@gmail.com', 'ann@gmail.com'],
  ['ann@googlemail.com', 'ann@gmail.com'],
  ['a.n.n@mail.gmail.com', 'a.n.n@mail.gmail.com'],
])('%s belongs to the mailbox %s', (address, mailbox) => {
  expect(foldMailbox(address)).toBe(mailbox);
});

it.each(['http://receiver.example/a', 'https://receiver.example.:8443/?b', 'http://RECEIVER.example'])(
  'the host of %s is receiver.example',
  (address) => {
    expect(hostOfUrl(address)).toBe('receiver.example');
  },
);
