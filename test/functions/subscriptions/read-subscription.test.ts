import { beforeEach, describe, expect, it } from 'vitest';
import { handler as read } from '../../../functions/subscriptions/read-subscription.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../../shared/domain/topics/topic.ts';
import { aRequest, noon } from '../../harness/builders.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { rejects } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const { call, work, live, answer, pass } = harness;
const hour = 3_600_000;
const at = (epochMs: number) => new Date(epochMs).toISOString();
let topic: StoredTopic;
beforeEach(async () => {
  topic = await harness.newTopic('CR');
});

const ask = (uuid: string) => call(read, { path: { uuid } });

const subscriber = async (given: Partial<StoredSubscription> = {}) =>
  (await harness.subscribed(topic, { confirmedAt: noon - hour, ...given }))[0];

it('readSubscription returns the state of an active subscription that has no deliveries', async () => {
  const one = await subscriber({ subjects: ['death'] });
  const [createdAt, confirmedAt] = [at(noon - hour), at(noon - hour)];
  expect((await ask(one.uuid)).json).toMatchObject({
    ...{ uuid: one.uuid, topic: 'CR', protocol: 'http', address: one.address, policy: '60,2', subjects: ['death'] },
    ...{ active: true, state: 'active', createdAt, confirmedAt, waiting: 0 },
  });
});

it('readSubscription reports the cause of failures and the number of waiting deliveries until the subscription recovers', async () => {
  const one = await subscriber();
  answer(rejects);
  await harness.publish('CR');
  await work();
  pass(1000);
  answer(() => ({ class: 'timeout' }));
  await harness.publish('CR');
  await work();
  const failing = await ask(one.uuid);
  expect(failing.json).toMatchObject({ state: 'active', stateReason: 'failing', waiting: 2 });
  expect(failing.json.lastFailure).toEqual({ class: 'timeout', at: at(noon + 1000) });
  expect(failing.json).not.toHaveProperty('lastDeliveredAt');
  answer(() => ({ class: 'delivered' }));
  await live();
  const { json } = await ask(one.uuid);
  expect(json).toMatchObject({ state: 'active', waiting: 0, lastFailure: { status: 503, at: at(noon) } });
  expect(Date.parse(json.lastDeliveredAt)).toBeGreaterThan(noon);
  expect(json).not.toHaveProperty('stateReason');
});

it('readSubscription reports the last delivery, although successful deliveries are not stored in the subscription’s row', async () => {
  const one = await subscriber();
  const others = Array.from({ length: 3 }, () => ({}));
  await harness.subscribed(topic, ...others);
  await harness.publish('CR');
  await work();
  pass(5000);
  await harness.publish('CR');
  await work();
  expect(await harness.subscription(one.uuid)).not.toHaveProperty('lastDeliveredAt');
  const calls = harness.recordCalls();
  expect((await ask(one.uuid)).json.lastDeliveredAt).toBe(at(noon + 5000));
  expect(calls.length).toBeLessThanOrEqual(7);
});

it('readSubscription looks for the last delivery only among the newest messages', async () => {
  const one = await subscriber();
  await harness.publishedBefore(topic, 300);
  const calls = harness.recordCalls();
  expect((await ask(one.uuid)).json).not.toHaveProperty('lastDeliveredAt');
  const counts = ['Query', 'BatchGetItem'].map((name) => calls.filter((call) => call === name).length);
  expect(counts).toEqual([3 + 2, 2 + 3]);
});

it('readSubscription reports the last failure of a paused subscription and the reason for the pause', async () => {
  const one = await subscriber();
  answer(() => ({ class: 'http', status: 410 }));
  await harness.publish('CR');
  await work();
  expect((await ask(one.uuid)).json).toMatchObject({
    active: false,
    state: 'paused',
    stateReason: 'gone',
    lastFailure: { class: 'http', status: 410, at: at(noon) },
    waiting: 0,
  });
});

it.each([
  ['asked', aRequest({ expiresAt: noon + hour })],
  ['unreachable', aRequest({ expiresAt: noon + hour, hasFailed: true })],
  ['expired', aRequest({ expiresAt: noon })],
])('readSubscription reports the reason "%s" for an unconfirmed subscription', async (stateReason, request) => {
  const one = await subscriber({ isActive: false, confirmedAt: undefined, requests: { hash: request } });
  expect((await ask(one.uuid)).json).toMatchObject({ active: false, state: 'pending', stateReason });
});

describe('the number of waiting deliveries', () => {
  const rows = (count: number, uuid: string, standing: (index: number) => string, given: object = {}) =>
    Array.from({ length: count }, (_, index) => ({
      messageShard: { S: `m${index}#0` },
      taskKey: { S: `one#${uuid}` },
      owner: { S: uuid },
      statusKey: { S: standing(index) },
      ...given,
    }));

  it('waiting deliveries are counted up to 1,000 with few reads, and confirmation requests are not counted', async () => {
    const one = await subscriber();
    await harness.put('deliveries', ...rows(1200, one.uuid, (index) => `waiting#m${String(index).padStart(5, '0')}`));
    const calls = harness.recordCalls();
    expect((await ask(one.uuid)).json.waiting).toBe(1000);
    expect(calls.toSorted()).toEqual(['GetItem', 'Query', 'Query', 'Query', 'Query']);
    const other = await subscriber();
    const isConfirmation = { BOOL: true };
    await harness.put('deliveries', ...rows(3, other.uuid, (index) => `waiting#c${index}`, { isConfirmation }));
    expect((await ask(other.uuid)).json.waiting).toBe(0);
  });
});

it('readSubscription returns a subscription that has no owner', async () => {
  const one = await subscriber();
  const { owner: _, ...row } = (await harness.rows('subscriptions'))[0] ?? {};
  await harness.write('subscriptions', row);
  expect((await ask(one.uuid)).status).toBe(200);
});
