import { beforeEach, describe, expect, it } from 'vitest';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import { handler as createTopic } from '../../../functions/topics/create-topic.ts';
import { handler as deleteTopic } from '../../../functions/topics/delete-topic.ts';
import { handler as listTopics } from '../../../functions/topics/list-topics.ts';
import { handler as publishEvent } from '../../../functions/topics/publish-event.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { statusTopicName, statusTopicUuid } from '../../../shared/domain/topics/topic.ts';
import { noon } from '../../harness/builders.ts';
import { accepts, rejects } from '../../harness/fake-sender.ts';
import { type Role, useOwnership } from '../../harness/ownership-harness.ts';

const harness = useOwnership('shared');
const { posts, live, publish, work, answer, confirm } = harness;
const hourMs = 3_600_000;
const minuteMs = 60_000;

const ask = (role: Role, path: string = role, more = '') =>
  harness.call(subscribe, {
    caller: role === 'nameless' ? '' : role,
    isAdmin: role === 'admin',
    query: `topic=${statusTopicName}&address=http://watcher.example/${path}&policy=60,1${more}`,
  });

/** Subscribes a receiver to the status topic and confirms the subscription. */
async function watch(role: Role, path?: string, more?: string): Promise<string> {
  const { json } = await ask(role, path, more);
  await work();
  await confirm(role, harness.tokens(json.uuid).at(-1) ?? '');
  return json.uuid;
}

let watcher: string;
let one: StoredSubscription;
beforeEach(async () => {
  one = await harness.owned({ countdownSeconds: 600, maxRetries: -1 });
  watcher = await watch('owner');
});

const fails = () => answer(({ uuid }) => (uuid === one.uuid ? rejects : accepts)({} as never, 0));
const told = (uuid = watcher) =>
  posts
    .filter((post) => post.uuid === uuid && post.type === 'Notification')
    .map(({ body, at, messageId }) => ({ ...JSON.parse(body), at, messageId }));

async function failFor(ms: number): Promise<void> {
  fails();
  await publish('CR');
  await live({ until: harness.now() + ms });
}

describe('a receiver that fails', () => {
  it('a failing receiver causes one event after an hour, and another event when it recovers', async () => {
    await failFor(59 * minuteMs);
    expect(told()).toEqual([]);
    await live({ until: noon + 5 * hourMs });
    const failing = { uuid: one.uuid, topic: 'CR', state: 'failing', class: 'http', status: 503 };
    expect(told()).toMatchObject([{ ...failing, since: new Date(noon).toISOString() }]);
    answer(accepts);
    await live();
    const { lastDeliveredAt = 0 } = await harness.subscription(one.uuid);
    expect(told().slice(1)).toMatchObject([{ state: 'recovered', since: new Date(lastDeliveredAt).toISOString() }]);
    expect(await harness.nextDue()).toBeUndefined();
  });

  it('a failing receiver causes at most one event per hour, and the event contains the latest state', async () => {
    await failFor(61 * minuteMs);
    expect(told()).toHaveLength(1);
    answer(accepts);
    await live({ until: harness.now() + 15 * minuteMs });
    expect((await harness.subscription(one.uuid)).failingSince).toBeUndefined();
    expect(told()).toHaveLength(1);
    await live();
    const [first, second] = told();
    expect(second).toMatchObject({ state: 'recovered' });
    expect(second.at - first.at).toBeGreaterThanOrEqual(hourMs);
  });

  it('a receiver that returns 410 causes an event within five minutes', async () => {
    answer(({ uuid }) => (uuid === one.uuid ? { class: 'http', status: 410 } : { class: 'delivered' }));
    await publish('CR');
    await live();
    expect(told()).toMatchObject([{ state: 'paused', reason: 'gone', class: 'http', status: 410 }]);
    expect(told()[0].at - noon).toBeLessThan(5 * minuteMs);
  });
});

describe('a subscriber of the status topic', () => {
  it('a subscriber receives only events about its own subscriptions, and an admin receives all events', async () => {
    const other = await watch('other');
    const admin = await watch('admin');
    const nobody = await ask('nameless');
    expect([nobody.status, nobody.json.message]).toEqual([400, expect.stringContaining('authorization')]);
    await failFor(2 * hourMs);
    expect([told().length, told(other).length, told(admin).length]).toEqual([1, 0, 1]);
    const { json } = await harness.deliveries('other', other);
    expect(json).toEqual([]);
  });

  it('two clients can subscribe the same address to the status topic, and each client has its own subscription', async () => {
    const [other, own] = [await watch('other', 'shared'), await watch('owner', 'shared')];
    expect(other).not.toBe(own);
    await failFor(2 * hourMs);
    expect([told(own).length, told(other).length]).toEqual([1, 0]);
  });

  it('a failing subscriber of the status topic causes no events', async () => {
    answer(rejects);
    await publish('CR');
    await live({ until: noon + 8 * hourMs });
    const events = (await harness.rows('deliveries')).filter(({ topicName }) => topicName === statusTopicName);
    expect(events).toHaveLength(1);
    const checks = (await harness.rows('deliveries')).filter(({ taskKey }) => taskKey === 'status');
    expect(checks.map(({ messageId }) => messageId)).toEqual([one.uuid]);
  });

  it('a subscriber gets 429 if its client already has ten subscriptions to the status topic', async () => {
    for (let count = 1; count < 10; count++) expect((await ask('owner', `more${count}`)).status).toBe(200);
    const refused = await ask('owner', 'eleventh');
    expect([refused.status, refused.json.code]).toEqual([429, 1433]);
    expect((await ask('owner', 'more1')).status).toBe(200);
    expect((await ask('other')).status).toBe(200);
  });

  it('a subscriber receives only events about the states that its filter names', async () => {
    const filtered = await watch('owner', 'filtered', '&subject=recovered');
    await failFor(2 * hourMs);
    expect([told().length, told(filtered).length]).toEqual([1, 0]);
  });
});

it('the status topic is listed after the first subscribe request, and clients cannot create it, delete it or publish to it', async () => {
  expect((await harness.call(listTopics, {})).json).toContainEqual({ uuid: statusTopicUuid, name: statusTopicName });
  for (const uuid of [statusTopicUuid, statusTopicName])
    expect((await harness.call(publishEvent, { path: { uuid }, body: '{}' })).status).toBe(400);
  expect((await harness.call(deleteTopic, { path: { uuid: statusTopicUuid } })).status).toBe(400);
  for (const name of [statusTopicName, 'Subscription-Status']) {
    const { status, json } = await harness.call(createTopic, { query: `name=${name}` });
    expect([status, json.message]).toEqual([400, expect.stringContaining('reserved')]);
  }
});

it('an event is published only once, even if the sweeper stops after any of its AWS calls', async () => {
  fails();
  await publish('CR');
  await live({ until: noon + hourMs, isSwept: false });
  for (let calls = 0; ; calls++) {
    let made = 0;
    let hasStopped = false;
    harness.interfere({
      async call(_call, go) {
        if (hasStopped) throw new Error('stopped');
        const result = await go();
        if (made++ === calls) hasStopped = true;
        if (hasStopped) throw new Error('stopped');
        return result;
      },
    });
    harness.pass(10 * minuteMs);
    await harness.sweep().catch(() => {});
    harness.interfere({});
    if (!hasStopped) break;
  }
  await live({ until: harness.now() + 2 * hourMs });
  expect(told()).toHaveLength(1);
});
