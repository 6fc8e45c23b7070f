/*
 * Promise: a shard with a hundred subscriptions works like any other shard, although one DynamoDB transaction cannot
 * contain all of them. Each subscription gets each message once, each failed delivery is retried according to its
 * policy, and no subscription is skipped after a crash.
 */
import { beforeEach, expect, it } from 'vitest';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type ChooseOutcome, rejects } from '../harness/fake-sender.ts';
import { createMortalProcess } from '../harness/mortal-process.ts';

const harness = useDeliveryHarness();
const size = 100;
/** All UUIDs start with the same eight digits, which determine the shard. */
const uuidOf = (index: number): string => `aaaaaaaa-0000-8000-8000-${String(index).padStart(12, '0')}`;
const policyOf = (index: number) => ({ uuid: uuidOf(index), maxRetries: 1 });

let topicName: string;
let people: StoredSubscription[];
beforeEach(async () => {
  const topic = await harness.newTopic();
  topicName = topic.name;
  people = await harness.subscribed(topic, ...Array.from({ length: size }, (_, index) => policyOf(index)));
});

const failingFor =
  (isFailing: (index: number) => boolean): ChooseOutcome =>
  (post, tries) =>
    isFailing(people.findIndex(({ uuid }) => uuid === post.uuid)) ? rejects(post, tries) : { class: 'delivered' };
const allUuids = () => people.map(({ uuid }) => uuid);

it.each([
  ['all deliveries to a hundred subscriptions fail', () => true, 0],
  ['half of the deliveries to a hundred subscriptions fail', (index: number) => index % 2 === 0, 50],
  ['none of the deliveries to a hundred subscriptions fails', () => false, 100],
])('all outcomes are recorded and all retries follow the policies if %s', async (_what, isFailing, reached) => {
  harness.answer(failingFor(isFailing));
  const messageId = await harness.publish(topicName);
  await harness.live();
  const accepted = harness.accepted(messageId);
  expect([new Set(accepted).size, accepted.length]).toEqual([reached, reached]);
  // Each policy allows one attempt and one retry.
  expect(harness.posts).toHaveLength(reached + 2 * (size - reached));
  expect(harness.failures).toHaveLength(size - reached);
  const shard = (await harness.rows('deliveries')).filter(({ outcomes }) => outcomes !== undefined);
  expect(shard.map(({ outcomes }) => Object.keys(Object(outcomes)).toSorted())).toEqual([allUuids()]);
  expect(await harness.nextDue()).toBeUndefined();
  expect(harness.bodiesIn('httpDeadLetters')).toEqual([]);
});

it.each(['before', 'after'] as const)(
  'a hundred subscriptions each get the message once even if a worker crashes %s it creates or sends a single delivery',
  async (when) => {
    for (const [name, at] of [
      ['PutItem', 0],
      ['PutItem', 59],
      ['SendMessageBatch', 0],
      ['SendMessageBatch', 5],
    ] as const) {
      await harness.purge();
      harness.posts.length = 0;
      const messageId = await harness.publish(topicName);
      await harness.work('fanOut');
      let calls = 0;
      const dying = createMortalProcess(({ command }) => command === name && calls++ === at, when);
      await harness.interfereDuring(dying.interference, () => harness.workOnce('http'));
      await harness.live();
      expect([name, at, dying.hasStruck()]).toEqual([name, at, true]);
      expect(harness.accepted(messageId).toSorted()).toEqual(allUuids());
    }
  },
);
