/*
 * Promise: one query of the deliveries table lists the subscriptions that received a message and the time of each
 * delivery. Another query lists the pending and failed deliveries of a subscription. An operator can redeliver failed
 * messages, and each redelivered message gets all its retries again. If a delivery cannot be repeated, it is counted
 * and logged, and the remaining deliveries continue.
 */
import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import type { DeliveryOutcome } from '../../shared/domain/deliveries/outcome.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { storedOutcomes } from '../../shared/storage/deliveries/row-schemas.ts';
import { toItem } from '../../shared/storage/dynamo.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { accepts, type ChooseOutcome, rejects } from '../harness/fake-sender.ts';
import type { Interference } from '../harness/interference.ts';

const harness = useDeliveryHarness();
const query = async (request: Omit<ConstructorParameters<typeof QueryCommand>[0], 'TableName'>) => {
  const { Items = [] } = await harness.dynamodb.client.send(
    new QueryCommand({ TableName: harness.tables.deliveries, ...request }),
  );
  return Items.map((item) => unmarshall(item));
};

/** Reads the rows of batch and single deliveries, and returns when each subscription received the message. */
async function receivedAt(messageId: string): Promise<Map<string, number>> {
  const rows = await query({
    KeyConditionExpression: 'messageShard = :rowShard',
    ExpressionAttributeValues: { ':rowShard': { S: `${messageId}#0` } },
    ConsistentRead: true,
  });
  const outcomes = rows.flatMap(({ taskKey, outcomes, outcome }): [string, DeliveryOutcome][] => [
    ...Object.entries(storedOutcomes.parse(outcomes)),
    ...(outcome === undefined ? [] : [[taskKey.slice('one#'.length), outcome] as [string, DeliveryOutcome]]),
  ]);
  return new Map(outcomes.filter(([, { next }]) => next === 'none').map(([uuid, { at }]) => [uuid, at]));
}

/** Returns the rows of the subscription's pending and failed deliveries. */
const openFor = (uuid: string) =>
  query({
    IndexName: 'bySubscription',
    KeyConditionExpression: '#owner = :uuid',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':uuid': { S: uuid } },
  });

let topic: StoredTopic;
let people: StoredSubscription[];
const [healthy, late, dead] = [0, 1, 2];
const uuid = (index: number): string => String(people[index]?.uuid);
const byIndex =
  (responses: readonly ChooseOutcome[]): ChooseOutcome =>
  (post, tries) =>
    (responses[people.findIndex((one) => one.uuid === post.uuid)] ?? accepts)(post, tries);
const failsTwice: ChooseOutcome = (post, tries) => (tries < 2 ? rejects(post, tries) : { class: 'delivered' });

beforeEach(async () => {
  topic = await harness.newTopic();
  people = await harness.subscribed(topic, { maxRetries: 3 }, { maxRetries: 3 }, { maxRetries: 1 });
  harness.answer(byIndex([accepts, failsTwice, rejects]));
});

describe('the deliveries table', () => {
  it('the deliveries table lists the subscriptions that received a message and the time of each delivery', async () => {
    const messageId = await harness.publish(topic.name);
    await harness.live();
    const wanted = harness.posts.filter(({ isAccepted }) => isAccepted).map((post) => [post.uuid, post.at] as const);
    expect(wanted.map(([who]) => who).toSorted()).toEqual([uuid(healthy), uuid(late)].toSorted());
    expect(await receivedAt(messageId)).toEqual(new Map(wanted));
  });

  it('the deliveries table lists the pending and failed deliveries of a subscription but not its successful deliveries', async () => {
    const first = await harness.publishAndWork(topic.name);
    expect(await openFor(uuid(healthy))).toEqual([]);
    const outcome = { class: 'http', status: 503, at: harness.now(), next: 'retry', notBefore: expect.any(Number) };
    const [pending] = await openFor(uuid(late));
    expect(pending).toMatchObject({ messageId: first, state: 'waiting', attempt: 0, protocol: 'http', outcome });
    expect(pending?.notBefore).toBeGreaterThanOrEqual(harness.now() + 60_000);
    await harness.live();
    const second = await harness.publishAndWork(topic.name);
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
  /** Publishes two messages that are delivered to all subscriptions except `dead`. */
  async function twoFailed(): Promise<[string, string]> {
    harness.answer(byIndex([accepts, accepts, rejects]));
    const ids: [string, string] = [await harness.publish(topic.name), await harness.publish(topic.name)];
    await harness.live();
    expect(harness.failures).toHaveLength(2);
    harness.answer(accepts);
    return ids;
  }

  it('redelivery by message ID and subscription repeats only the matching delivery', async () => {
    const [first, second] = await twoFailed();
    expect(await redeliver({ messageId: first, subscription: uuid(healthy) })).toEqual({ redelivered: 0, expired: 0 });
    expect(await redeliver({ messageId: first, subscription: uuid(dead) })).toEqual({ redelivered: 1, expired: 0 });
    await harness.live();
    expect([harness.accepted(first), harness.accepted(second)]).toMatchObject([{ length: 3 }, { length: 2 }]);
  });

  it('redelivery by time repeats only the deliveries that failed after the given time', async () => {
    await twoFailed();
    const since = new Date(harness.now() + 1000).toISOString();
    harness.pass(3_600_000);
    harness.answer(byIndex([accepts, accepts, rejects]));
    const third = await harness.publish(topic.name);
    await harness.live();
    harness.answer(accepts);
    expect(await redeliver({ since })).toEqual({ redelivered: 1, expired: 0 });
    await harness.live();
    expect(harness.accepted(third)).toContain(uuid(dead));
  });

  it('redelivery by time repeats each delivery once, even if the delivery fails again before the job ends', async () => {
    await harness.subscribed(await harness.newTopic('other'), { maxRetries: 0 });
    harness.answer(rejects);
    await harness.publish('other');
    await harness.live();
    // Each page contains one row, and the redelivered message fails before the job reads the second page.
    const paged: Interference = {
      async call({ input }, go) {
        if (input.IndexName !== 'bySweep') return go();
        if (input.ExclusiveStartKey !== undefined) {
          harness.interfere({});
          harness.pass(1000);
          await harness.live();
          harness.interfere(paged);
        }
        Object.assign(input, { Limit: 1 });
        return go();
      },
    };
    harness.interfere(paged);
    expect(await redeliver({ since: new Date(0).toISOString() })).toEqual({ redelivered: 1, expired: 0 });
    expect(harness.posts).toHaveLength(2);
  });

  it('redelivery counts the messages whose bodies have expired', async () => {
    const [first, second] = await twoFailed();
    await harness.remove('deliveries', { messageShard: `${first}#0`, taskKey: 'message' });
    expect(await redeliver({ subscription: uuid(dead) })).toEqual({ redelivered: 1, expired: 1 });
    await harness.live();
    expect(harness.accepted(second)).toContain(uuid(dead));
  });

  it('redelivery continues when one row cannot be read and another row cannot be written', async () => {
    const four = Array.from({ length: 4 }, () => ({ maxRetries: 0 }));
    const failed = await harness.subscribed(await harness.newTopic('other'), ...four);
    harness.answer(rejects);
    const messageId = await harness.publishAndWork('other');
    harness.answer(accepts);
    const [unreadable = '', unwritable = '', ...sound] = failed.map((one) => one.uuid);
    await harness.dynamodb.client.send(
      new UpdateItemCommand({
        TableName: harness.tables.deliveries,
        Key: toItem({ messageShard: `${messageId}#0`, taskKey: `one#${unreadable}` }),
        UpdateExpression: 'SET protocol = :odd',
        ExpressionAttributeValues: toItem({ ':odd': 'pigeon' }),
      }),
    );
    harness.interfere({
      call: (call, go) =>
        call.command === 'UpdateItem' && JSON.stringify(call.input.Key ?? '').includes(unwritable)
          ? Promise.reject(new RangeError('no'))
          : go(),
    });
    expect(await redeliver({ messageId })).toEqual({ redelivered: 2, expired: 0, faults: 2 });
    harness.interfere({});
    expect(harness.lines.error.map((line) => JSON.parse(line))).toMatchObject([
      { message: 'failed', job: 'redeliver', error: 'unreadableRow', messageId, taskKey: `one#${unreadable}` },
      { message: 'failed', job: 'redeliver', error: 'RangeError', messageId, taskKey: `one#${unwritable}` },
    ]);
    await harness.work();
    expect(harness.accepted(messageId).toSorted()).toEqual(sound.toSorted());
  });
});
