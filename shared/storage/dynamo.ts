import { type AttributeValue, ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { answerWithin } from './answer-within.ts';
import { patientRetries } from './retry-strategy.ts';
import { withoutLogger } from './without-logger.ts';

export type Item = Record<string, AttributeValue>;

let client: DynamoDBClient | undefined;

// DynamoDB answers in some milliseconds.
const requestHandler = answerWithin(4000);

/** The function's one DynamoDB client, made at first use; region, endpoint and credentials are the SDK's own business. */
export const dynamo = (): DynamoDBClient => {
  client ??= withoutLogger(new DynamoDBClient({ retryStrategy: patientRetries, requestHandler }));
  return client;
};

/** A plain object as DynamoDB holds it; undefined fields are left out. */
export const toItem = (value: object): Item => marshall(value, { removeUndefinedValues: true });

/** Reads a row by its schema: what comes out of the store is checked like what goes in. */
export const fromItem = <Value>(schema: { parse(value: unknown): Value }, item: Item): Value =>
  schema.parse(unmarshall(item));

/** Runs a conditional write; when its condition fails, answers the row that stood in the way. */
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
