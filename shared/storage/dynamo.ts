import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { clientConfig, withoutLogger } from './client-config.ts';
import { retryStrategy } from './retry-strategy.ts';

export type Item = Record<string, AttributeValue>;

let client: DynamoDBClient | undefined;

/**
 * Returns the DynamoDB client that the whole function shares. The SDK reads the Region and credentials from the
 * environment.
 */
export const dynamo = (): DynamoDBClient => {
  client ??= withoutLogger(
    new DynamoDBClient({
      ...clientConfig(4000),
      retryStrategy: retryStrategy,
      accountIdEndpointMode: 'preferred',
    }),
  );
  return client;
};

/** Converts an object to an item. Omits undefined attributes. */
export const toItem = (value: object): Item => marshall(value, { removeUndefinedValues: true });

export const fromItem = <Value>(schema: { parse(value: unknown): Value }, item: Item): Value =>
  schema.parse(unmarshall(item));

/**
 * Reads a row by key. Returns undefined if the row is missing. The read is consistent, because rows may be read
 * immediately after they were written.
 */
export async function getItem(
  client: DynamoDBClient,
  TableName: string,
  Key: Item,
  projection: Pick<GetItemCommandInput, 'ProjectionExpression' | 'ExpressionAttributeNames'> = {},
): Promise<Item | undefined> {
  const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true, ...projection }));
  return Item;
}

/** Reads a row by key and parses it. Returns undefined if the row is missing. */
export async function readRow<Value>(
  schema: { parse(value: unknown): Value },
  ...reading: Parameters<typeof getItem>
): Promise<Value | undefined> {
  const item = await getItem(...reading);
  return item && fromItem(schema, item);
}

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
