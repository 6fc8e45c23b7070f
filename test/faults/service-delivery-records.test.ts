/*
 * Promise: the ledger answers, by one query each, who was told of a message and when, and what is pending or has failed for
 * a subscription. What has failed for good can be delivered again by an operator, with the whole policy before it.
 */
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { LedgerOutcome } from '../../shared/model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../shared/model/deliveries/task.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { keptOutcomes } from '../../shared/storage/deliveries/kept-outcomes.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type Answering, accepts, refuses } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const query = async (request: Omit<ConstructorParameters<typeof QueryCommand>[0], 'TableName'>) => {
  const { Items = [] } = await harness.dynamodb.client.send(
    new QueryCommand({ TableName: harness.tables.deliveries, ...request }),
  );
  return Items.map((item) => unmarshall(item));
};

/** Who was told of this message, and when: the rows of its tasks, and of those that were not reached at once. */
async function toldOf(messageId: string): Promise<Map<string, number>> {
  const rows = await query({
    KeyConditionExpression: 'messageSlice = :slice',
    ExpressionAttributeValues: { ':slice': { S: `${messageId}#0` } },
    ConsistentRead: true,
  });
  const outcomes = rows.flatMap(({ taskKey, outcomes, outcome }): [string, LedgerOutcome][] => [
    ...Object.entries(keptOutcomes.parse(outcomes)),
    ...(outcome === undefined ? [] : [[taskKey.slice('one#'.length), outcome] as [string, LedgerOutcome]]),
  ]);
  return new Map(outcomes.filter(([, { next }]) => next === 'none').map(([uuid, { at }]) => [uuid, at]));
}

/** What is pending or has failed for this subscription. */
const openFor = (uuid: string) =>
  query({
    IndexName: 'bySubscription',
    KeyConditionExpression: '#owner = :uuid',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':uuid': { S: uuid } },
  });

let topic: StoredTopic;
let people: StoredSubscription[];
const [well, late, dead] = [0, 1, 2];
const uuid = (place: number): string => String(people[place]?.uuid);
const byPlace =
  (answerings: readonly Answering[]): Answering =>
  (post, tries) =>
    (answerings[people.findIndex((one) => one.uuid === post.uuid)] ?? accepts)(post, tries);
const failsTwice: Answering = (post, tries) => (tries < 2 ? refuses(post, tries) : { class: 'delivered' });

beforeEach(async () => {
  topic = await harness.newTopic();
  people = await harness.subscribed(topic, { maxRetries: 3 }, { maxRetries: 3 }, { maxRetries: 1 });
  harness.answer(byPlace([accepts, failsTwice, refuses]));
});

describe('the ledger', () => {
  it('says who was told of a message and when', async () => {
    const messageId = await harness.publish(topic.name);
    await harness.live();
    const wanted = harness.posts.filter(({ isAccepted }) => isAccepted).map((post) => [post.uuid, post.at] as const);
    expect(wanted.map(([who]) => who).toSorted()).toEqual([uuid(well), uuid(late)].toSorted());
    expect(await toldOf(messageId)).toEqual(new Map(wanted));
  });

  it('says what is pending and what has failed for a subscription, and nothing of what was delivered', async () => {
    const first = await harness.publish(topic.name);
    await harness.work();
    expect(await openFor(uuid(well))).toEqual([]);
    const outcome = { class: 'http', status: 503, at: harness.now(), next: 'retry', notBefore: expect.any(Number) };
    const [pending] = await openFor(uuid(late));
    expect(pending).toMatchObject({ messageId: first, state: 'waiting', attempt: 0, protocol: 'http', outcome });
    expect(pending?.notBefore).toBeGreaterThanOrEqual(harness.now() + 60_000);
    await harness.live();
    const second = await harness.publish(topic.name);
    await harness.work();
    expect(await openFor(uuid(late))).toMatchObject([{ messageId: second, state: 'waiting' }]);
    const ofDead = await openFor(uuid(dead));
    expect(ofDead.map(({ messageId, state }) => [messageId, state]).toSorted()).toEqual(
      [
        [first, 'failed'],
        [second, 'waiting'],
      ].toSorted(),
    );
  });
});

describe('redelivery', () => {
  /** Two messages, each of which has failed for `dead` alone. */
  async function twoFailed(): Promise<[string, string]> {
    harness.answer(byPlace([accepts, accepts, refuses]));
    const ids: [string, string] = [await harness.publish(topic.name), await harness.publish(topic.name)];
    await harness.live();
    expect(harness.failures).toHaveLength(2);
    harness.answer(accepts);
    return ids;
  }

  it('by message makes that message again', async () => {
    const [first, second] = await twoFailed();
    expect(await redeliver({ messageId: first })).toEqual({ redelivered: 1, expired: 0 });
    await harness.live();
    expect(harness.accepted(first).toSorted()).toEqual(people.map((one) => one.uuid).toSorted());
    expect(harness.accepted(second)).not.toContain(uuid(dead));
  });

  it('by subscription makes everything again that has failed for it', async () => {
    const ids = await twoFailed();
    expect(await redeliver({ subscription: uuid(well) })).toEqual({ redelivered: 0, expired: 0 });
    expect(await redeliver({ subscription: uuid(dead) })).toEqual({ redelivered: 2, expired: 0 });
    await harness.live();
    for (const id of ids) expect(harness.accepted(id)).toHaveLength(3);
  });

  it('by both makes one delivery again', async () => {
    const [first, second] = await twoFailed();
    expect(await redeliver({ messageId: first, subscription: uuid(well) })).toEqual({ redelivered: 0, expired: 0 });
    expect(await redeliver({ messageId: first, subscription: uuid(dead) })).toEqual({ redelivered: 1, expired: 0 });
    await harness.live();
    expect([harness.accepted(first), harness.accepted(second)]).toMatchObject([{ length: 3 }, { length: 2 }]);
  });

  it('since a time makes again what has failed from then on', async () => {
    await twoFailed();
    const since = new Date(harness.now() + 1000).toISOString();
    harness.pass(3_600_000);
    harness.answer(byPlace([accepts, accepts, refuses]));
    const third = await harness.publish(topic.name);
    await harness.live();
    harness.answer(accepts);
    expect(await redeliver({ since })).toEqual({ redelivered: 1, expired: 0 });
    await harness.live();
    expect(harness.accepted(third)).toContain(uuid(dead));
  });

  it('begins the policy anew, and fails for good a second time when it is used up', async () => {
    const [first] = await twoFailed();
    harness.answer(refuses);
    const before = harness.tries(first, uuid(dead)).length;
    await redeliver({ messageId: first });
    await harness.live();
    // max 1: the first attempt and one retry, as if nothing had been before.
    expect(harness.tries(first, uuid(dead)).length - before).toBe(2);
    expect(harness.failures).toHaveLength(3);
    harness.answer(accepts);
    expect(await redeliver({ messageId: first })).toEqual({ redelivered: 1, expired: 0 });
    await harness.live();
    expect(harness.accepted(first)).toContain(uuid(dead));
  });

  it('twice in a row does nothing twice', async () => {
    const [first] = await twoFailed();
    const twice = await Promise.all([redeliver({ messageId: first }), redeliver({ messageId: first })]);
    expect(twice.map(({ redelivered }) => redelivered).toSorted()).toEqual([0, 1]);
    expect(await redeliver({ messageId: first })).toEqual({ redelivered: 0, expired: 0 });
    await harness.live();
    expect(await redeliver({ messageId: first })).toEqual({ redelivered: 0, expired: 0 });
    expect(harness.accepted(first).filter((one) => one === uuid(dead))).toHaveLength(1);
  });

  it('leaves a long body in the ledger', async () => {
    harness.answer(byPlace([accepts, accepts, refuses]));
    const body = JSON.stringify({ source: 'x'.repeat(9000) });
    const messageId = await harness.publish(topic.name, body);
    await harness.live();
    harness.answer(accepts);
    await redeliver({ messageId });
    const [task] = harness.payloadsIn<DeliveryTask>('http');
    expect(task?.content).not.toHaveProperty('bodyBase64');
    await harness.live();
    expect(harness.posts.at(-1)).toMatchObject({ uuid: uuid(dead), body, isAccepted: true });
  });

  it('counts what has expired: its body is no longer there', async () => {
    const [first, second] = await twoFailed();
    await harness.remove('deliveries', { messageSlice: `${first}#0`, taskKey: 'message' });
    expect(await redeliver({ subscription: uuid(dead) })).toEqual({ redelivered: 1, expired: 1 });
    await harness.live();
    expect(harness.accepted(second)).toContain(uuid(dead));
  });
});
