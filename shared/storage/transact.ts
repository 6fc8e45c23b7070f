import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './dynamo.ts';

/** The indexes of the items whose conditions failed, each with the existing row if the item requested that row. */
type FailedItems = ReadonlyMap<number, Item | undefined>;

function failedItemsOf(error: unknown): FailedItems {
  const reasons = (error instanceof TransactionCanceledException && error.CancellationReasons) || [];
  const failed = reasons.entries().filter(([, { Code }]) => Code === 'ConditionalCheckFailed');
  return new Map(failed.map(([index, { Item }]) => [index, Item]));
}

/** Writes all items or none. Returns the items whose conditions failed. */
export async function transact(
  client: DynamoDBClient,
  items: TransactWriteItem[],
): Promise<{ isDone: true } | { isDone: false; failed: FailedItems }> {
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems: items }));
    return { isDone: true };
  } catch (error) {
    const failed = failedItemsOf(error);
    if (failed.size === 0) throw error;
    return { isDone: false, failed };
  }
}
