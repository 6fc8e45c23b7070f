import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import { toItem, unlessConflict } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { acquireSlot, releaseSlot } from './slots.ts';

const hourMs = 3_600_000;

const countInHour = (client: DynamoDBClient, table: string) => ({
  /** Counts a request, up to `max` per clock hour. @returns the end of the hour if the limit is reached */
  async countInHour(id: string, max: number, now: number): Promise<{ readonly freeAt: number } | undefined> {
    const hour = Math.floor(now / hourMs);
    const freeAt = (hour + 1) * hourMs;
    const counted = await unlessConflict(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ id, slot: String(hour) }),
          UpdateExpression: 'SET expiresAt = :expiresAt ADD #count :one',
          ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: toItem({ ':one': 1, ':max': max, ':expiresAt': freeAt / 1000 }),
        }),
      ),
    );
    return counted.isDone ? undefined : { freeAt };
  },
});

// Each mailbox that declines requests has a row with this key, which never expires.
const declinedKey = (id: string) => toItem({ id, slot: 'never' });

const readDeclined = (client: DynamoDBClient, table: string) => ({
  /** Checks whether the mailbox with this hash (`declinedId`) declines all confirmation requests. */
  async declinesRequests(id: string): Promise<boolean> {
    const Key = declinedKey(id);
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item !== undefined;
  },
});

const declineRequests = (client: DynamoDBClient, table: string) => ({
  async declineRequests(id: string): Promise<void> {
    await client.send(new PutItemCommand({ TableName: table, Item: declinedKey(id) }));
  },
});

const allowRequests = (client: DynamoDBClient, table: string) => ({
  /** Reverses `declineRequests`. Returns false if the mailbox did not decline requests. */
  async allowRequests(id: string): Promise<boolean> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName: table, Key: declinedKey(id), ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  },
});

/**
 * Limits on confirmation requests: numbered slots that expire, hourly counters, and mailboxes that decline requests.
 * Ids are keyed hashes, so the table contains no addresses.
 */
export const limits = defineStore({
  name: 'limits',
  ...tableStore,
  permissions: {
    enforce: (client, table: string) => ({
      ...acquireSlot(client, table),
      ...releaseSlot(client, table),
      ...countInHour(client, table),
      ...readDeclined(client, table),
    }),
    releaseSlot,
    countInHour,
    readDeclined,
    declineRequests,
    allowRequests,
  },
});
