import { beforeEach, describe, expect, it } from 'vitest';
import { handler as readMailFeedback } from '../../../functions/deliveries/read-mail-feedback.ts';
import { handler as confirmByPage } from '../../../functions/pages/confirm-by-page.ts';
import { handler as showConfirmation } from '../../../functions/pages/show-confirmation.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { apiEvent, context, sqsEvent } from '../../harness/lambda-events.ts';
import { aBounce, aComplaint } from '../../harness/mail-feedback.ts';
import { useOwnership } from '../../harness/ownership-harness.ts';

const harness = useOwnership('caller');
const { asked } = harness;
let one: StoredSubscription;
beforeEach(async () => {
  one = await harness.owned();
});
const stored = () => harness.subscription(one.uuid);
const nobodys = () => harness.owned({ isActive: false, confirmedAt: undefined, owner: 'owner' });

const byPage = async (token: string) =>
  (await confirmByPage(apiEvent({ method: 'POST', query: `token=${token}` }), context)).statusCode;

describe('a receiver that confirms every request automatically', () => {
  it.each<[string, () => Promise<StoredSubscription>]>([
    ['is active', async () => one],
    ['is paused', () => harness.owned({ isActive: false, pausedReason: 'gone' })],
  ])('an automatic confirmation cannot transfer a subscription that %s', async (_what, make) => {
    one = await make();
    const { requests: _, ...before } = await stored();
    const token = await asked('other', one);
    for (const role of ['owner', 'nameless'] as const) {
      const { status, json } = await harness.confirm(role, token);
      expect([status, json.code]).toEqual([400, 1008]);
      expect(json.message).toContain('only that client can confirm');
    }
    expect(await stored()).toMatchObject(before);
    expect((await harness.confirm('other', token)).status).toBe(200);
    expect(await stored()).toMatchObject({ owner: 'other', isActive: true });
  });

  it('an automatic confirmation transfers an unconfirmed subscription to the requesting client, with the requested policy', async () => {
    const pending = await nobodys();
    expect((await harness.confirm('nameless', await asked('other', pending, '1,1'))).status).toBe(200);
    expect(await harness.subscription(pending.uuid)).toMatchObject({ owner: 'other', maxRetries: 1 });
    const paused = await harness.owned({ isActive: false, pausedReason: 'gone' });
    expect((await harness.confirm('other', await asked('owner', paused, '2,2'))).status).toBe(200);
    expect(await harness.subscription(paused.uuid)).toMatchObject({ owner: 'owner', isActive: true, maxRetries: 2 });
  });

  it.each<[string, (token: string) => Promise<unknown>]>([
    ['on the page', byPage],
    ['by an admin', async (token) => (await harness.confirm('admin', token)).status],
  ])('a confirmation %s transfers the subscription to the requesting client', async (_how, confirm) => {
    expect(await confirm(await asked('other', one))).toBe(200);
    expect(await stored()).toMatchObject({ owner: 'other', isActive: true, countdownSeconds: 9 });
  });
});

it("the confirmation page says what a request for another client's subscription would change", async () => {
  const token = await asked('other', one);
  const { body } = await showConfirmation(apiEvent({ query: `token=${token}` }), context);
  expect(body).toContain('the organisation that manages these notices and the schedule');
  expect(await byPage(token)).toBe(200);
  expect((await showConfirmation(apiEvent({ query: `token=${token}` }), context)).body).not.toContain(
    'the organisation that',
  );
});

it('an old token reveals nothing about a subscription that now belongs to another client', async () => {
  const pending = await nobodys();
  const old = await asked('other', pending);
  await harness.confirm('other', old);
  const token = await asked('owner', pending, '7,7');
  expect((await harness.confirm('owner', token)).status).toBe(200);
  await harness.change('owner', pending.uuid, { subjects: ['adoption'] });
  const event = { query: `token=${old}` };
  const pages = [
    await showConfirmation(apiEvent(event), context),
    await confirmByPage(apiEvent({ ...event, method: 'POST' }), context),
  ];
  for (const { statusCode, body } of pages) {
    expect(statusCode).toBe(400);
    expect(body).not.toMatch(/Adoption|receiver\.example/);
  }
  for (const role of ['other', 'admin'] as const) expect((await harness.confirm(role, old)).status).toBe(400);
  expect(await byPage(token)).toBe(200);
});

describe('an unconfirmed subscription', () => {
  it('each client can see and delete only its own request for an unconfirmed subscription', async () => {
    const pending = await nobodys();
    await harness.ask('owner', pending, '1,1');
    await harness.ask('other', pending, '2,2');
    expect((await harness.read('owner', pending.uuid)).json).toMatchObject({ policy: '1,1', state: 'pending' });
    expect((await harness.read('other', pending.uuid)).json).toMatchObject({ policy: '2,2', state: 'pending' });
    expect((await harness.read('nameless', pending.uuid)).status).toBe(404);
    expect((await harness.unsubscribe('other', pending.uuid)).status).toBe(204);
    expect((await harness.read('other', pending.uuid)).status).toBe(404);
    expect((await harness.read('owner', pending.uuid)).json).toMatchObject({ policy: '1,1', state: 'pending' });
    expect((await harness.unsubscribe('owner', pending.uuid)).status).toBe(204);
    expect((await harness.rows('subscriptions')).map(({ uuid }) => uuid)).toEqual([one.uuid]);
  });

  it('after one request is confirmed, the requests from other clients stay open and are still retried', async () => {
    const pending = await nobodys();
    harness.answer(({ type }) => (type === 'Notification' ? { class: 'delivered' } : { class: 'http', status: 500 }));
    const first = await asked('owner', pending, '10,3');
    await harness.ask('other', pending, '10,3');
    await harness.confirm('owner', first);
    const tries = () => harness.tokens(pending.uuid).filter((token) => token !== first).length;
    await harness.live();
    expect(tries()).toBe(4);
    expect((await harness.read('other', pending.uuid)).json).toMatchObject({ stateReason: 'unreachable' });
    expect((await harness.read('owner', pending.uuid)).json).toMatchObject({ state: 'active' });
  });

  it('an unconfirmed subscription is kept if a second client requests it while the first client deletes its own request', async () => {
    const pending = await nobodys();
    await asked('other', pending);
    let isFirst = true;
    harness.interfere({
      async call({ command }, go) {
        if (command !== 'DeleteItem' || !isFirst) return go();
        isFirst = false;
        await harness.ask('owner', pending);
        return go();
      },
    });
    expect((await harness.unsubscribe('other', pending.uuid)).status).toBe(204);
    expect((await harness.read('other', pending.uuid)).status).toBe(404);
    expect((await harness.read('owner', pending.uuid)).json).toMatchObject({ state: 'pending', stateReason: 'asked' });
  });
});

it.each([
  ['complaint', aComplaint],
  ['bounce', (...given: Parameters<typeof aComplaint>) => aBounce('Permanent', given[1], given[2], given[3])],
])("a %s about another client's confirmation request ends only that request", async (_what, feedback) => {
  one = await harness.owned({ protocol: 'email', address: 'clerk@example.org' });
  await harness.ask('other', one);
  const [request] = Object.values((await stored()).requests);
  const { generation, topicUuid, uuid } = one;
  const own = { generation, timestamp: new Date(harness.now() + 60_000).toISOString() };
  const about = (type: 'SubscriptionConfirmation' | 'Notification', message: string) =>
    sqsEvent(feedback('abuse', uuid, topicUuid, { ...own, message, type }));
  await readMailFeedback(about('SubscriptionConfirmation', String(request?.messageId)));
  expect(await stored()).toMatchObject({ isActive: true, owner: 'owner' });
  expect((await harness.read('other', uuid)).status).toBe(404);
  // Emails that other applications send with our configuration set have no tags, or different tags.
  const foreign = { mail: { ...aBounce().mail, tags: undefined } };
  await readMailFeedback(sqsEvent(aBounce('Permanent', 'not a uuid'), { ...aBounce(), ...foreign }));
  expect(await stored()).toMatchObject({ isActive: true });
  await readMailFeedback(about('Notification', crypto.randomUUID()));
  expect(await stored()).toMatchObject({ isActive: false });
  expect(harness.lines.info.join()).toContain(uuid);
  expect(JSON.stringify(harness.lines)).not.toContain('clerk-4711');
});

describe("a client's subscription list", () => {
  it("a client's list of subscriptions is returned completely in pages, and each page needs few reads", async () => {
    const topic = await harness.newTopic('many');
    const owners = Array.from({ length: 120 }, (_, index) => ({ owner: index % 3 === 0 ? 'other' : 'owner' }));
    const all = await harness.subscribed(topic, ...owners);
    const own = all.filter(({ owner }) => owner === 'other').map(({ uuid }) => uuid);
    const reads: number[] = [];
    harness.interfere({
      call({ command, input }, go) {
        // Simulates a scan that reaches the 1 MB limit after a few rows.
        if (command === 'Scan') Object.assign(input, { Limit: 2 });
        reads[reads.length - 1] = (reads.at(-1) ?? 0) + 1;
        return go();
      },
    });
    const seen: string[] = [];
    for (let query: string | undefined = 'limit=20'; query !== undefined; ) {
      reads.push(0);
      const { json, headers } = await harness.list('other', query);
      expect(json.length).toBeLessThanOrEqual(20);
      seen.push(...json.map(({ uuid }: { uuid: string }) => uuid));
      query = /\?(.*)>/.exec(String(headers?.link ?? ''))?.[1];
    }
    expect(seen.toSorted()).toEqual(own.toSorted());
    expect(Math.max(...reads)).toBeLessThanOrEqual(5);
    const { status, json } = await harness.list('other');
    expect([status, json.code]).toEqual([400, 1010]);
    expect(json.message).toMatch(/request pages with limit=1000$/);
    harness.interfere({});
    expect((await harness.list('other')).json).toHaveLength(own.length);
  });
});
