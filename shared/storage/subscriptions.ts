import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { defineStore } from '../contract/capabilities.ts';
import type { ActiveSubscription } from '../domain/plan-tasks.ts';
import { protocols, type StoredSubscription, storedSubscription } from '../model/subscription.ts';
import { dynamo, fromItem, type Item, toItem, unlessRefused } from './dynamo.ts';
import { type Page, type PageRequest, scanPage } from './page.ts';
import { leave, pause, show } from './subscriber.ts';

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
    return put.isDone || put.stored === undefined ? undefined : fromItem(storedSubscription, put.stored);
  },
  /** Gives a pending subscription a new token in place of `old.tokenHash`; false when it changed meanwhile. */
  async renewToken(old: StoredSubscription, tokenHash: string, tokenExpiresAt: number): Promise<boolean> {
    const update = await unlessRefused(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(old.uuid),
          UpdateExpression: 'SET tokenHash = :new, tokenExpiresAt = :until, hasConfirmationFailed = :false',
          ConditionExpression: 'tokenHash = :old AND isActive = :false',
          ExpressionAttributeValues: {
            ':old': { S: old.tokenHash },
            ':new': { S: tokenHash },
            ':until': { N: String(tokenExpiresAt) },
            ':false': { BOOL: false },
          },
        }),
      ),
    );
    return update.isDone;
  },
  /** Activates the subscription whose token has this hash and is valid at `now`; undefined when there is none. */
  async confirm(uuid: string, tokenHash: string, now: number): Promise<StoredSubscription | undefined> {
    const update = await unlessRefused(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(uuid),
          UpdateExpression: 'SET isActive = :true, activeTopic = topicLife REMOVE pausedReason',
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
  /** The active subscriptions of one life of a topic, a page of the sparse index at a time, ascending by uuid. */
  async *active(topic: { topicUuid: string; generation: string }): AsyncGenerator<ActiveSubscription[]> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: 'activeByTopic',
        KeyConditionExpression: 'activeTopic = :life',
        ExpressionAttributeValues: { ':life': { S: topicLife(topic) } },
      },
    );
    for await (const { Items = [] } of pages) {
      yield Items.map((item) => {
        const protocol = protocols.find((one) => one === item.protocol?.S);
        const uuid = item.uuid?.S;
        if (protocol === undefined || uuid === undefined)
          throw new Error('a row of activeByTopic lacks its attributes');
        return { uuid, protocol };
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
  /** Notes that the confirmation with this token has used up its retries, so that subscribing again sends another. */
  async confirmationFailed(uuid: string, tokenHash: string): Promise<void> {
    await unlessRefused(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(uuid),
          UpdateExpression: 'SET hasConfirmationFailed = :true',
          ConditionExpression: 'tokenHash = :hash',
          ExpressionAttributeValues: { ':true': { BOOL: true }, ':hash': { S: tokenHash } },
        }),
      ),
    );
  },
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
  permissions: { read, write, show, leave, pause, fanOut, deliver, cleanUp },
});
