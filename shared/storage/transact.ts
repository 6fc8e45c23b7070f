import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './dynamo.ts';
import { whilePassing } from './while-passing.ts';

// Reasons that say nothing about our conditions, and that the SDK does not try again.
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

const reasonsOf = (error: unknown) =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

const isRefused = (error: unknown): boolean => reasonsOf(error)[0]?.Code === 'ConditionalCheckFailed';

const isPassing = (error: unknown): boolean =>
  !isRefused(error) && reasonsOf(error).some(({ Code = '' }) => passing.has(Code));

/**
 * Writes all or nothing. When the condition of the first item fails, answers the row that stood in its way (where the
 * item asks for it). When another write holds one of the rows at this moment, or DynamoDB is too busy, it is tried again
 * a little later.
 */
export async function transact(
  client: DynamoDBClient,
  items: TransactWriteItem[],
): Promise<{ isDone: true } | { isDone: false; stored: Item | undefined }> {
  const write = () => client.send(new TransactWriteItemsCommand({ TransactItems: items }));
  try {
    await whilePassing(write, isPassing);
    return { isDone: true };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return { isDone: false, stored: reasonsOf(error)[0]?.Item };
  }
}
