import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { defineStore } from '../contract/capabilities.ts';
import type { HealthChange } from '../domain/health.ts';
import type { ActiveSubscription } from '../domain/plan-tasks.ts';
import { protocols, type StoredSubscription, storedSubscription } from '../model/subscription.ts';
import { dynamo, fromItem, type Item, toItem, unlessRefused } from './dynamo.ts';
import { type Page, type PageRequest, scanPage } from './page.ts';
import { update } from './update.ts';

/** One life of a topic; the partition of both indexes. */
const topicLife = (topic: { topicUuid: string; generation: string }): string =>
  `${topic.topicUuid}#${topic.generation}`;

const rowOf = (subscription: StoredSubscription): Item => {
  const life = topicLife(subscription);
  return toItem({ ...subscription, topicLife: life, activeTopic: subscription.isActive ? life : undefined });
};

const key = (uuid: string): Item => ({ uuid: { S: uuid } });

const read = (client: DynamoDBClient, table: string) => ({
  list: (page: PageRequest): Promise<Page<StoredSubscription>> => scanPage(client, table, storedSubscription, page),
});

const renewing = (client: DynamoDBClient, table: string) => ({
  /** Gives a pending subscription a new token in place of `old.tokenHash`; false when it changed meanwhile. */
  async renewToken(old: StoredSubscription, tokenHash: string, tokenExpiresAt: number): Promise<boolean> {
    const renewed = await update(client, table, key(old.uuid), {
      set: { tokenHash, tokenExpiresAt, hasConfirmationFailed: false, isAsked: false },
      condition: '#tokenHash = :old AND #isActive = :inactive',
      names: ['isActive'],
      values: { old: old.tokenHash, inactive: false },
    });
    return renewed.isDone || renewed.stored?.tokenHash?.S === tokenHash;
  },
});

const write = (client: DynamoDBClient, table: string) => ({
  /** Stores the subscription unless it is there in this life of its topic; answers the one that was there. */
  async ensure(subscription: StoredSubscription): Promise<StoredSubscription | undefined> {
    const put = await unlessRefused(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: rowOf(subscription),
          ConditionExpression: 'attribute_not_exists(#uuid) OR generation <> :generation',
          ExpressionAttributeNames: { '#uuid': 'uuid' },
          ExpressionAttributeValues: { ':generation': { S: subscription.generation } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    if (put.isDone || put.stored === undefined) return undefined;
    const stored = fromItem(storedSubscription, put.stored);
    // Our own write, whose answer was lost, is not somebody else's.
    return stored.tokenHash === subscription.tokenHash ? undefined : stored;
  },
  ...renewing(client, table),
  /** Activates the subscription whose token has this hash and is valid at `now`; undefined when there is none. */
  async confirm(uuid: string, tokenHash: string, now: number): Promise<StoredSubscription | undefined> {
    const update = await unlessRefused(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(uuid),
          UpdateExpression:
            'SET isActive = :true, activeTopic = topicLife, activeSince = if_not_exists(activeSince, :now) REMOVE pausedReason',
          ConditionExpression: 'tokenHash = :hash AND tokenExpiresAt > :now',
          ExpressionAttributeValues: { ':true': { BOOL: true }, ':hash': { S: tokenHash }, ':now': { N: String(now) } },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return update.isDone ? fromItem(storedSubscription, update.result.Attributes ?? {}) : undefined;
  },
  /** Removes the subscription; false when there was none. */
  async remove(uuid: string): Promise<boolean> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName: table, Key: key(uuid), ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  },
});

const fanOut = (client: DynamoDBClient, table: string) => ({
  /**
   * The active subscriptions of one life of a topic with uuids from `first` to `last`, a page of the sparse index at a
   * time, ascending by uuid.
   */
  async *active(
    topic: { topicUuid: string; generation: string },
    range: { first: string; last: string },
  ): AsyncGenerator<ActiveSubscription[]> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: 'activeByTopic',
        KeyConditionExpression: 'activeTopic = :life AND #uuid BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#uuid': 'uuid' },
        ExpressionAttributeValues: {
          ':life': { S: topicLife(topic) },
          ':first': { S: range.first },
          ':last': { S: range.last },
        },
      },
    );
    for await (const { Items = [] } of pages) {
      yield Items.map((item) => {
        const protocol = protocols.find((one) => one === item.protocol?.S);
        const uuid = item.uuid?.S;
        if (protocol === undefined || uuid === undefined)
          throw new Error('a row of activeByTopic lacks its attributes');
        return { uuid, protocol, activeSince: Number(item.activeSince?.N ?? 0) };
      });
    }
  },
});

const deliver = (client: DynamoDBClient, table: string) => ({
  /** Those of the subscriptions that are still there, read consistently, up to 100 at once. */
  async getMany(uuids: readonly string[]): Promise<StoredSubscription[]> {
    const found: StoredSubscription[] = [];
    for (let from = 0; from < uuids.length; from += 100) {
      let keys: Item[] = uuids.slice(from, from + 100).map(key);
      for (let round = 0; keys.length > 0; round++) {
        // What DynamoDB leaves unread under load is asked for again, a little later each time.
        if (round > 0) await sleep(Math.min(1000, 20 * 2 ** round));
        const { Responses, UnprocessedKeys } = await client.send(
          new BatchGetItemCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
        );
        for (const item of Responses?.[table] ?? []) found.push(fromItem(storedSubscription, item));
        keys = UnprocessedKeys?.[table]?.Keys ?? [];
      }
    }
    return found;
  },
  /** Writes down a change of health; pausing takes the subscription out of the index that fan-out reads. */
  async noteHealth({ uuid, generation }: StoredSubscription, change: HealthChange): Promise<void> {
    const { pause, ...set } = change;
    const isPause = pause !== undefined;
    await update(client, table, key(uuid), {
      set: { ...set, ...(isPause ? { isActive: false, pausedReason: pause } : {}) },
      remove: isPause ? ['activeTopic', 'activeSince'] : [],
      condition: '#generation = :generation AND #isActive = :active',
      names: ['generation', 'isActive'],
      values: { generation, active: true },
    });
  },
  /** Notes that the confirmation with this token was sent, or has used up its retries: asked again, we send another. */
  async confirmationSent(uuid: string, tokenHash: string, hasFailed: boolean): Promise<void> {
    await update(client, table, key(uuid), {
      set: { isAsked: true, hasConfirmationFailed: hasFailed },
      condition: '#tokenHash = :hash',
      names: ['tokenHash'],
      values: { hash: tokenHash },
    });
  },
});

const sweep = (client: DynamoDBClient, table: string) => ({
  async get(uuid: string): Promise<StoredSubscription | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: key(uuid) }));
    return Item && fromItem(storedSubscription, Item);
  },
  ...renewing(client, table),
});

const cleanUp = (client: DynamoDBClient, table: string) => ({
  /** Removes every subscription of one life of a topic. Safe to run again. */
  async removeAll(topic: { topicUuid: string; generation: string }): Promise<void> {
    const life = { ':life': { S: topicLife(topic) } };
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: 'byTopic',
        KeyConditionExpression: 'topicLife = :life',
        ExpressionAttributeValues: life,
      },
    );
    for await (const { Items = [] } of pages) {
      const removals = Items.map((item) =>
        unlessRefused(
          client.send(
            new DeleteItemCommand({
              TableName: table,
              Key: key(item.uuid?.S ?? ''),
              // A subscription to the topic's next life has taken this uuid over meanwhile: it stays.
              ConditionExpression: 'topicLife = :life',
              ExpressionAttributeValues: life,
            }),
          ),
        ),
      );
      await Promise.all(removals);
    }
  },
});

export const subscriptions = defineStore({
  name: 'subscriptions',
  client: dynamo,
  permissions: { read, write, fanOut, deliver, sweep, cleanUp },
});
