/*
 * Promise: a hundred subscriptions in one bucket, which no transaction of DynamoDB can write together, are served like any
 * others: each reached once, each failure retried by its policy, and whatever dies on the way nobody is forgotten.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type Answering, refuses } from '../harness/fake-sender.ts';
import { mortal } from '../harness/mortal-process.ts';

const harness = useDeliveryHarness();
const crowd = 100;
/** Its first eight digits, which choose the bucket, are everybody's. */
const uuidOf = (index: number): string => `aaaaaaaa-0000-8000-8000-${String(index).padStart(12, '0')}`;
const policyOf = (index: number) => ({ uuid: uuidOf(index), maxRetries: 1 });

let topicName: string;
let people: StoredSubscription[];
beforeEach(async () => {
  const topic = await harness.newTopic();
  topicName = topic.name;
  people = await harness.subscribed(topic, ...Array.from({ length: crowd }, (_, index) => policyOf(index)));
});

const refusing =
  (isFailing: (index: number) => boolean): Answering =>
  (post, tries) =>
    isFailing(people.findIndex(({ uuid }) => uuid === post.uuid)) ? refuses(post, tries) : { class: 'delivered' };
const everybody = () => people.map(({ uuid }) => uuid);

describe('a hundred subscriptions in one bucket', () => {
  it.each([
    ['all fail', () => true, 0],
    ['half of them fail', (index: number) => index % 2 === 0, 50],
    ['none fails', () => false, 100],
  ])('are recorded, and retried by their policies, when %s', async (_what, isFailing, reached) => {
    harness.answer(refusing(isFailing));
    const messageId = await harness.publish(topicName);
    await harness.live();
    const accepted = harness.accepted(messageId);
    expect([new Set(accepted).size, accepted.length]).toEqual([reached, reached]);
    // One attempt and one retry, as each policy says.
    expect(harness.posts).toHaveLength(reached + 2 * (crowd - reached));
    expect(harness.failures).toHaveLength(crowd - reached);
    const bucket = (await harness.rows('deliveries')).filter(({ outcomes }) => outcomes !== undefined);
    expect(bucket.map(({ outcomes }) => Object.keys(Object(outcomes)).toSorted())).toEqual([everybody()]);
    expect(await harness.nextDue()).toBeUndefined();
    expect(harness.bodiesIn('httpDeadLetters')).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'are all reached once when a copy dies %s it takes the others in',
    async (when) => {
      for (let at = 0; at < 2; at += 1) {
        await harness.purge();
        harness.posts.length = 0;
        const messageId = await harness.publish(topicName);
        await harness.work('fanOut');
        let transactions = 0;
        const dying = mortal(({ command }) => command === 'TransactWriteItems' && transactions++ === at, when);
        harness.interfere(dying.interference);
        await harness.workOnce('http');
        harness.interfere({});
        await harness.live();
        expect([at, dying.hasStruck()]).toEqual([at, true]);
        expect(harness.accepted(messageId).toSorted()).toEqual(everybody());
      }
    },
  );
});
