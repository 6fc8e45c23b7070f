import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, DeleteItemCommand, type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { HealthChange } from '../../domain/deliveries/health.ts';
import type { ActiveSubscription } from '../../domain/deliveries/plan-tasks.ts';
import { protocols, type StoredSubscription, storedSubscription } from '../../model/subscriptions/subscription.ts';
import { fromItem, type Item, unlessConflict } from '../dynamo.ts';
import { update } from '../update.ts';
import { key, topicGeneration } from './rows.ts';

export const fanOut = (client: DynamoDBClient, table: string) => ({
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
        ProjectionExpression: '#uuid, protocol, activeSince',
        KeyConditionExpression: 'activeTopic = :life AND #uuid BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#uuid': 'uuid' },
        ExpressionAttributeValues: {
          ':life': { S: topicGeneration(topic) },
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

export const deliver = (client: DynamoDBClient, table: string) => ({
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
  /**
   * Writes down a change of health. Pausing takes the subscription out of the index that fan-out reads, and ends its
   * token: subscribing again sends a new confirmation, once, and only that one confirms.
   */
  async noteHealth({ uuid, generation }: StoredSubscription, change: HealthChange): Promise<void> {
    const { pause, ...set } = change;
    const isPause = pause !== undefined;
    await update(client, table, key(uuid), {
      set: { ...set, ...(isPause ? { isActive: false, pausedReason: pause, tokenExpiresAt: 0 } : {}) },
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

export const cleanUp = (client: DynamoDBClient, table: string) => ({
  /**
   * Removes the subscriptions of every life of a topic that began before `before`, but for `present`, the one it is in.
   * Safe to run again, and beside the beginning of its next life.
   */
  async removeAll(topicUuid: string, before: string, present: string | undefined): Promise<void> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: 'byTopic',
        KeyConditionExpression: 'topicUuid = :topic AND topicGeneration < :before',
        ExpressionAttributeValues: {
          ':topic': { S: topicUuid },
          ':before': { S: topicGeneration({ topicUuid, generation: before }) },
        },
      },
    );
    const kept = present === undefined ? undefined : topicGeneration({ topicUuid, generation: present });
    for await (const { Items = [] } of pages) {
      const old = Items.filter(({ topicGeneration: life }) => life?.S !== kept);
      const removals = old.map(({ uuid, topicGeneration: life }) =>
        unlessConflict(
          client.send(
            new DeleteItemCommand({
              TableName: table,
              Key: key(uuid?.S ?? ''),
              // A subscription to the topic's next life has taken this uuid over meanwhile: it stays.
              ConditionExpression: 'topicGeneration = :life',
              ExpressionAttributeValues: { ':life': life ?? { S: '' } },
            }),
          ),
        ),
      );
      await Promise.all(removals);
    }
  },
});
