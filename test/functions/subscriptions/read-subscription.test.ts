import { beforeEach, describe, expect, it } from 'vitest';
import { handler as read } from '../../../functions/subscriptions/read-subscription.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../../shared/model/topics/topic.ts';
import { aRequest, noon } from '../../harness/builders.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { refuses } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const { call, work, live, answer, pass } = harness;
const hour = 3_600_000;
const at = (epochMs: number) => new Date(epochMs).toISOString();
let topic: StoredTopic;
beforeEach(async () => {
  topic = await harness.newTopic('CR');
});

const ask = (uuid: string) => call(read, { path: { uuid } });

async function subscriber(given: Partial<StoredSubscription> = {}): Promise<StoredSubscription> {
  const [one] = await harness.subscribed(topic, { confirmedAt: noon - hour, ...given });
  if (one === undefined) throw new Error('nobody was stored');
  return one;
}

it('tells how an active subscription stands of which nothing is known yet', async () => {
  const one = await subscriber({ subjects: ['death'] });
  expect(await ask(one.uuid)).toMatchObject({
    status: 200,
    json: {
      uuid: one.uuid,
      topic: 'CR',
      protocol: 'http',
      address: one.address,
      policy: '60,2',
      active: true,
      subjects: ['death'],
      state: 'active',
      createdAt: at(noon - hour),
      confirmedAt: at(noon - hour),
      waiting: 0,
    },
  });
});

it('tells that it fails, by what, and how much waits; and that it does not any more', async () => {
  const one = await subscriber();
  answer(refuses);
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
  expect(json).toMatchObject({
    state: 'active',
    waiting: 0,
    lastFailure: { class: 'http', status: 503, at: at(noon) },
  });
  expect(Date.parse(json.lastDeliveredAt)).toBeGreaterThan(noon);
  expect(json).not.toHaveProperty('stateReason');
});

it('tells when it last got something, though nothing is written into its row while all goes well', async () => {
  const one = await subscriber();
  const others = Array.from({ length: 3 }, () => ({}));
  await harness.subscribed(topic, ...others);
  await harness.publish('CR');
  await work();
  pass(5000);
  await harness.publish('CR');
  await work();
  expect(await harness.subscription(one.uuid)).not.toHaveProperty('lastDeliveredAt');
  const calls: string[] = [];
  harness.interfere({
    call({ command }, go) {
      calls.push(command);
      return go();
    },
  });
  expect((await ask(one.uuid)).json.lastDeliveredAt).toBe(at(noon + 5000));
  expect(calls.length).toBeLessThanOrEqual(6);
});

it('looks for its latest delivery among the newest messages alone', async () => {
  const one = await subscriber();
  const rows = Array.from({ length: 300 }, (_, index) => {
    const messageId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    return {
      messageSlice: `${messageId}#0`,
      taskKey: 'message',
      messageId,
      generation: topic.generation,
      timestamp: at(noon - 1 - index),
      topicName: topic.name,
      bits: 4,
    };
  });
  await harness.write('deliveries', ...rows);
  const calls: string[] = [];
  harness.interfere({
    call({ command }, go) {
      calls.push(command);
      return go();
    },
  });
  expect((await ask(one.uuid)).json).not.toHaveProperty('lastDeliveredAt');
  const counts = ['Query', 'BatchGetItem'].map((name) => calls.filter((call) => call === name).length);
  expect(counts).toEqual([2 + 2, 2 + 3]);
});

it('tells why it is paused, and the failure that paused it', async () => {
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
])('tells of one that waits to be confirmed that its address was %s', async (stateReason, request) => {
  const one = await subscriber({ isActive: false, confirmedAt: undefined, requests: { hash: request } });
  expect((await ask(one.uuid)).json).toMatchObject({ active: false, state: 'pending', stateReason });
});

describe('what waits', () => {
  const rows = (count: number, uuid: string, standing: (index: number) => string, given: object = {}) =>
    Array.from({ length: count }, (_, index) => ({
      messageSlice: { S: `m${index}#0` },
      taskKey: { S: `one#${uuid}` },
      owner: { S: uuid },
      standing: { S: standing(index) },
      ...given,
    }));

  it('is counted to a thousand, without requests to confirm, by few reads', async () => {
    const one = await subscriber();
    await harness.put('deliveries', ...rows(1200, one.uuid, (index) => `waiting#m${String(index).padStart(5, '0')}`));
    const calls: string[] = [];
    harness.interfere({
      call({ command }, go) {
        calls.push(command);
        return go();
      },
    });
    expect((await ask(one.uuid)).json.waiting).toBe(1000);
    expect(calls.toSorted()).toEqual(['GetItem', 'Query', 'Query', 'Query']);
    const other = await subscriber();
    const isConfirmation = { BOOL: true };
    await harness.put('deliveries', ...rows(3, other.uuid, (index) => `waiting#c${index}`, { isConfirmation }));
    expect((await ask(other.uuid)).json.waiting).toBe(0);
  });
});

it.each([
  ['00000000-0000-4000-8000-000000000000', 404, 1042],
  ['nobody', 400, 1002],
])('refuses %s with %i', async (uuid, status, code) => {
  expect(await ask(uuid)).toMatchObject({ status, json: { code } });
});

it('can be asked of a row that has no owner', async () => {
  const one = await subscriber();
  const { owner: _, ...row } = (await harness.rows('subscriptions'))[0] ?? {};
  await harness.write('subscriptions', row);
  expect((await ask(one.uuid)).status).toBe(200);
});
