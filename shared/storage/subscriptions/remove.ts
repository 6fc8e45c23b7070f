import { DeleteItemCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { isConfirmed, isExpired } from '../../domain/subscriptions/confirmation-requests.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { key } from './rows.ts';

export const remove = (client: DynamoDBClient, table: string) => {
  const removal = ({ uuid, createdAt, owner }: StoredSubscription) =>
    client.send(
      new DeleteItemCommand({
        TableName: table,
        Key: key(uuid),
        ConditionExpression: 'createdAt = :createdAt AND #owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: toItem({ ':createdAt': createdAt, ':owner': owner }),
      }),
    );

  const removalOfPending = ({ uuid, createdAt, requests }: StoredSubscription) =>
    client.send(
      new DeleteItemCommand({
        TableName: table,
        Key: key(uuid),
        ConditionExpression:
          'createdAt = :createdAt AND size(requests) = :size AND isActive = :false AND attribute_not_exists(pausedReason)',
        ExpressionAttributeValues: toItem({
          ':createdAt': createdAt,
          ':size': Object.keys(requests).length,
          ':false': false,
        }),
      }),
    );

  const withdrawal = ({ uuid, createdAt, requests }: StoredSubscription, hashes: readonly string[]) => {
    const names = hashes.map((_, index) => `requests.#h${index}`);
    return client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: key(uuid),
        UpdateExpression: `REMOVE ${names.join(', ')}`,
        ConditionExpression: [
          'createdAt = :createdAt AND size(requests) = :size',
          ...names.map((name) => `attribute_exists(${name}) AND attribute_not_exists(${name}.confirmedAt)`),
        ].join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(hashes.map((hash, index) => [`#h${index}`, hash])),
        ExpressionAttributeValues: toItem({ ':createdAt': createdAt, ':size': Object.keys(requests).length }),
      }),
    );
  };

  return {
    /** Deletes the subscription. Returns false if the subscription did not exist at `now` (epoch milliseconds). */
    async remove(uuid: string, now: number): Promise<boolean> {
      const { Attributes } = await client.send(
        new DeleteItemCommand({ TableName: table, Key: key(uuid), ReturnValues: 'ALL_OLD' }),
      );
      return Attributes !== undefined && !isExpired(fromItem(storedSubscription, Attributes), now);
    },
    /**
     * Deletes the part of a subscription that a client sees (`viewFor`): the whole subscription, or only the client's
     * requests. The last request of an unconfirmed subscription is deleted together with the row.
     * @returns false if the subscription has changed since it was read
     */
    async removeView(stored: StoredSubscription, view: StoredSubscription): Promise<boolean> {
      if (view === stored) return (await unlessConflict(removal(stored))).isDone;
      const hashes = Object.keys(view.requests);
      const isLast = !isConfirmed(stored) && hashes.length === Object.keys(stored.requests).length;
      return (await unlessConflict(isLast ? removalOfPending(stored) : withdrawal(stored, hashes))).isDone;
    },
  };
};

export const removeByLink = (client: DynamoDBClient, table: string) => ({
  /** Deletes and returns the subscription if it belongs to the given generation of its topic. */
  async removeOfGeneration(uuid: string, generation: string): Promise<StoredSubscription | undefined> {
    const removal = await unlessConflict(
      client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: key(uuid),
          ConditionExpression: 'generation = :generation',
          ExpressionAttributeValues: { ':generation': { S: generation } },
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    return removal.isDone ? fromItem(storedSubscription, removal.result.Attributes ?? {}) : undefined;
  },
});
