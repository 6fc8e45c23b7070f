import { expect, it } from 'vitest';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { hashToken, tokenLifetimeMs } from '../../shared/domain/subscriptions/subscription-token.ts';
import { aConfirmation, aTask, noon, tokenOf } from '../harness/builders.ts';
import { status } from '../harness/receiver.ts';
import { useTaskHarness } from '../harness/task-harness.ts';

const harness = useTaskHarness();
const { subscriber, subscription, deliver, deliveries, single, waiting } = harness;

const asking = (person: StoredSubscription, given = {}) =>
  aTask(aConfirmation(person), [person], { taskKey: `one#${person.uuid}`, isSingle: true, ...given });
const hasFailed = async ({ uuid }: StoredSubscription) =>
  Object.values((await subscription(uuid)).requests).some((request) => request.hasFailed);
const pending = () => subscriber({ isActive: false, activeSince: undefined });

it('a confirmation request is marked as failed from its first failed attempt until an attempt succeeds', async () => {
  const person = await pending();
  harness.receiver.answer(status(500));
  await deliver(asking(person));
  const [next] = waiting();
  expect(next).toMatchObject({ payload: { notBefore: noon + 60_000, task: { attempt: 1 } } });
  expect(await hasFailed(person)).toBe(true);
  harness.receiver.answer(status(200));
  harness.moveTo(noon + 60_000);
  if (next) await deliver(next.payload.task);
  expect(await hasFailed(person)).toBe(false);
});

it('a confirmation request stays marked as failed after its last retry, so that the client can subscribe again', async () => {
  const person = await pending();
  harness.receiver.answer(status(500));
  await deliver(asking(person, { attempt: 2 }));
  expect(waiting()).toEqual([]);
  expect(await hasFailed(person)).toBe(true);
  expect(harness.failures).toMatchObject([{ uuid: person.uuid }]);
});

it.each<[string, (person: StoredSubscription) => Promise<unknown>]>([
  [
    'the subscription is already confirmed',
    (person) => harness.subscriptionStore().confirm(person.uuid, hashToken(tokenOf(person.uuid)), noon),
  ],
  ['its token has expired', async () => harness.moveTo(noon + tokenLifetimeMs)],
  ['the subscription is deleted', (person) => harness.subscriptionStore().removeView(person, person)],
])('a confirmation request is not sent if %s', async (_what, change) => {
  const person = await pending();
  await change(person);
  await deliver(asking(person));
  expect(harness.receiver.received).toEqual([]);
  expect(await deliveries()).toEqual([]);
});

it.each([
  ['confirmed', false],
  ['confirmed and then paused', true],
])('a confirmation request waiting for a retry is dropped if the subscription is %s', async (_what, isPaused) => {
  const person = await pending();
  harness.receiver.answer(status(500));
  await deliver(asking(person));
  await harness.subscriptionStore().confirm(person.uuid, hashToken(tokenOf(person.uuid)), noon);
  if (isPaused) await harness.engine.subscriptions.recordHealth(person, { isFailing: true, pause: 'gone' });
  for (const { payload } of waiting()) await deliver(payload.task);
  expect(harness.receiver.received).toHaveLength(1);
  expect(await single(person)).toMatchObject({ state: 'dropped' });
});

it('a confirmation request is recorded as delivered if the receiver confirms the subscription before responding', async () => {
  const person = await pending();
  harness.receiver.answer(async () => {
    await harness.subscriptionStore().confirm(person.uuid, hashToken(tokenOf(person.uuid)), noon);
    return { status: 200 };
  });
  await deliver(asking(person));
  expect(await single(person)).toMatchObject({ state: 'delivered', outcome: { class: 'delivered' } });
  expect(await subscription(person.uuid)).toMatchObject({ isActive: true });
});
