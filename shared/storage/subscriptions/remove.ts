import { DeleteItemCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { isGoneBy } from '../../domain/subscriptions/confirmation-requests.ts';
import { isConfirmed } from '../../domain/subscriptions/confirmation-state.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { key } from './rows.ts';

export const end = (client: DynamoDBClient, table: string) => {
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
    /** Removes the subscription; false when there was none at `now` (epoch milliseconds). */
    async remove(uuid: string, now: number): Promise<boolean> {
      const { Attributes } = await client.send(
        new DeleteItemCommand({ TableName: table, Key: key(uuid), ReturnValues: 'ALL_OLD' }),
      );
      return Attributes !== undefined && !isGoneBy(fromItem(storedSubscription, Attributes), now);
    },
    /**
     * Ends what a client sees of a subscription: all of it where that is what is stored, else the requests that it sees, and the
     * row of one that is not confirmed with the last of them. False when it has changed since it was read.
     */
    async endSeen(stored: StoredSubscription, seen: StoredSubscription): Promise<boolean> {
      if (seen === stored) return (await unlessConflict(removal(stored))).isDone;
      const hashes = Object.keys(seen.requests);
      const isLast = !isConfirmed(stored) && hashes.length === Object.keys(stored.requests).length;
      return (await unlessConflict(isLast ? removalOfPending(stored) : withdrawal(stored, hashes))).isDone;
    },
  };
};
