import { DeleteItemCommand, type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { isConfirmed } from '../../domain/subscriptions/confirmation-requests.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { key } from './rows.ts';

/** Deletes a row, unless the row was created again or transferred since it was read. */
export async function removeStored(
  client: DynamoDBClient,
  table: string,
  stored: StoredSubscription,
): Promise<boolean> {
  const { uuid, generation, createdAt, owner } = stored;
  const removal = new DeleteItemCommand({
    TableName: table,
    Key: key(uuid),
    ConditionExpression:
      'generation = :generation AND createdAt = :createdAt AND (#owner = :owner OR attribute_not_exists(#owner))',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: toItem({ ':generation': generation, ':createdAt': createdAt, ':owner': owner }),
  });
  return (await unlessConflict(client.send(removal))).isDone;
}

export const remove = (client: DynamoDBClient, table: string) => {
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
    /**
     * Deletes the part of a subscription that a client sees (`viewFor`): the whole subscription, or only the client's
     * requests. The latest request for an unconfirmed subscription is deleted together with the row.
     * @returns false if the subscription has changed since it was read
     */
    async removeView(stored: StoredSubscription, view: StoredSubscription): Promise<boolean> {
      if (view === stored) return removeStored(client, table, stored);
      const hashes = Object.keys(view.requests);
      const isLast = !isConfirmed(stored) && hashes.length === Object.keys(stored.requests).length;
      return (await unlessConflict(isLast ? removalOfPending(stored) : withdrawal(stored, hashes))).isDone;
    },
  };
};

export const removeByLink = (client: DynamoDBClient, table: string) => ({
  /** Deletes and returns the subscription if it belongs to the given generation of its topic. */
  async removeOfGeneration(uuid: string, generation: string): Promise<StoredSubscription | undefined> {
    for (;;) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: key(uuid), ConsistentRead: true }),
      );
      const stored = Item && fromItem(storedSubscription, Item);
      if (stored?.generation !== generation) return undefined;
      if (await removeStored(client, table, stored)) return stored;
      // Another request has changed the subscription's owner or created the subscription again.
    }
  },
});
