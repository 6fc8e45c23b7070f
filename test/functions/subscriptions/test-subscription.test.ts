import { beforeEach, expect, it } from 'vitest';
import { handler as read } from '../../../functions/subscriptions/read-subscription.ts';
import { handler as test } from '../../../functions/subscriptions/test-subscription.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../../shared/domain/topics/topic.ts';
import { noon } from '../../harness/builders.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';

const harness = useDeliveryHarness();
const { call, live, work, answer, posts } = harness;
let topic: StoredTopic;
beforeEach(async () => {
  topic = await harness.newTopic('death');
});

const subscriber = async (given: Partial<StoredSubscription> = {}) => (await harness.subscribed(topic, given, {}))[0];
const ask = (uuid: string) => call(test, { path: { uuid } });
const lastTest = async (uuid: string) => (await call(read, { path: { uuid } })).json.lastTest;
const at = new Date(noon).toISOString();

it.each([
  ['http', { subjects: ['liveBirth'] }],
  ['email', { protocol: 'email' as const, address: 'ann@example.org' }],
])('a test event is sent by %s only to its subscription, regardless of the filter', async (_protocol, given) => {
  const one = await subscriber(given);
  const calls = harness.recordCalls();
  const { status, json } = await ask(one.uuid);
  expect([status, calls]).toEqual([200, ['GetItem', 'UpdateItem', 'SendMessage']]);
  await live();
  expect(posts.map(({ uuid, messageId, type }) => [uuid, messageId, type])).toEqual([
    [one.uuid, json.messageId, 'Notification'],
  ]);
  expect(JSON.parse(posts[0]?.body ?? '')).toEqual({ source: 'test', message: expect.stringContaining('test') });
  expect(await lastTest(one.uuid)).toEqual({ messageId: json.messageId, class: 'delivered', at });
});

it("a failed test event is not retried, triggers no report, and does not change the subscription's health", async () => {
  const one = await subscriber({ isFailing: true, failingSince: noon - 10 });
  answer(() => ({ class: 'http', status: 410 }));
  const { json } = await ask(one.uuid);
  await live();
  expect(posts).toHaveLength(1);
  expect(harness.failures).toEqual([]);
  const ending = { messageId: json.messageId, class: 'http', status: 410 };
  expect(await harness.subscription(one.uuid)).toEqual({ ...one, lastTest: { ...ending, at: noon } });
  expect(await lastTest(one.uuid)).toEqual({ ...ending, at });
  expect((await harness.rows('deliveries')).map(({ state }) => state)).toEqual(['dropped']);
});

it('a test event that one of our limits postpones is sent later', async () => {
  const one = await subscriber({ protocol: 'email', address: 'ann@example.org' });
  answer((_post, tries) =>
    tries === 0 ? { class: 'email', isPostponed: true, retryAfterSeconds: 60 } : { class: 'delivered' },
  );
  await ask(one.uuid);
  await live();
  expect(posts.map(({ isAccepted }) => isAccepted)).toEqual([false, true]);
});

it.each([
  ['is not confirmed yet', {}],
  ['is paused (gone)', { pausedReason: 'gone' as const }],
])('test returns 409 for a subscription that %s, and does not count towards the limit', async (why, given) => {
  const one = await subscriber({ isActive: false, ...given });
  const { status, json } = await ask(one.uuid);
  expect([status, json.code]).toEqual([409, 1409]);
  expect(json.message).toContain(why);
  expect(await harness.rows('limits')).toEqual([]);
});

it('a test event is not sent if its subscription has since been paused', async () => {
  const one = await subscriber();
  await ask(one.uuid);
  await harness.subscribed(topic, { ...one, isActive: false, pausedReason: 'gone' });
  await work();
  expect([posts, harness.failures]).toEqual([[], []]);
});
