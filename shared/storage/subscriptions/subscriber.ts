import { DeleteItemCommand, type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type PauseReason,
  type StoredSubscription,
  storedSubscription,
} from '../../model/subscriptions/subscription.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';

export const show = (client: DynamoDBClient, table: string) => ({
  /** The subscription as it stands, or undefined. */
  async get(uuid: string): Promise<StoredSubscription | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: toItem({ uuid }), ConsistentRead: true }),
    );
    return Item && fromItem(storedSubscription, Item);
  },
});

export const leave = (client: DynamoDBClient, table: string) => ({
  /** Removes the subscription if it is of this life of its topic; answers it, or undefined when there was none. */
  async removeOfGeneration(uuid: string, generation: string): Promise<StoredSubscription | undefined> {
    const removal = await unlessConflict(
      client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: toItem({ uuid }),
          ConditionExpression: 'generation = :generation',
          ExpressionAttributeValues: { ':generation': { S: generation } },
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    return removal.isDone ? fromItem(storedSubscription, removal.result.Attributes ?? {}) : undefined;
  },
});

export const pause = (client: DynamoDBClient, table: string) => ({
  /**
   * Pauses an active subscription: nothing is delivered to it until it is subscribed again and confirmed. Its token ends
   * with it, so that subscribing again sends a new confirmation, and only that one confirms. False when it was not active.
   */
  async pause(uuid: string, reason: PauseReason): Promise<boolean> {
    const update = await unlessConflict(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ uuid }),
          UpdateExpression:
            'SET isActive = :false, pausedReason = :reason, tokenExpiresAt = :ended REMOVE activeTopic, activeSince',
          ConditionExpression: 'isActive = :true',
          ExpressionAttributeValues: {
            ':true': { BOOL: true },
            ':false': { BOOL: false },
            ':reason': { S: reason },
            ':ended': { N: '0' },
          },
        }),
      ),
    );
    return update.isDone;
  },
});
