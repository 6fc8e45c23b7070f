import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './dynamo.ts';

const reasonsOf = (error: unknown) =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

/** The indexes of the items whose conditions failed, each with the existing row if the item requested that row. */
type FailedItems = ReadonlyMap<number, Item | undefined>;

const failedItemsOf = (error: unknown): FailedItems =>
  new Map(
    reasonsOf(error).flatMap(({ Code, Item }, index) =>
      Code === 'ConditionalCheckFailed' ? [[index, Item] as const] : [],
    ),
  );

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
