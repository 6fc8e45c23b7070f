import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { clientConfig, sharedClient } from './client-config.ts';
import { retryStrategy } from './retry-strategy.ts';

export type Item = Record<string, AttributeValue>;

/**
 * Returns the DynamoDB client that the whole function shares. The SDK reads the Region and credentials from the
 * environment.
 */
export const dynamo = sharedClient(
  () => new DynamoDBClient({ ...clientConfig(4000), retryStrategy, accountIdEndpointMode: 'preferred' }),
);

/** Converts an object to an item. Omits undefined attributes. */
export const toItem = (value: object): Item => marshall(value, { removeUndefinedValues: true });

export const fromItem = <Value>(schema: { parse(value: unknown): Value }, item: Item): Value =>
  schema.parse(unmarshall(item));

/** Reads a row consistently. */
export const getItem = async (client: DynamoDBClient, table: string, key: Item): Promise<Item | undefined> =>
  (await client.send(new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;

/** Runs a conditional write. If the condition fails, returns the existing row. */
export async function unlessConflict<Done>(
  write: Promise<Done>,
): Promise<{ isDone: true; result: Done } | { isDone: false; stored: Item | undefined }> {
  try {
    return { isDone: true, result: await write };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { isDone: false, stored: error.Item };
    throw error;
  }
}
