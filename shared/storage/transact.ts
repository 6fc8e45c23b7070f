import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './dynamo.ts';

const reasonsOf = (error: unknown) =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

/** The items whose conditions failed, by their place, with the row that stood in the way (where the item asks for it). */
type Refused = ReadonlyMap<number, Item | undefined>;

const refusedOf = (error: unknown): Refused =>
  new Map(
    reasonsOf(error).flatMap(({ Code, Item }, index) =>
      Code === 'ConditionalCheckFailed' ? [[index, Item] as const] : [],
    ),
  );

/** Writes all or nothing; answers whose conditions failed. */
export async function transact(
  client: DynamoDBClient,
  items: TransactWriteItem[],
): Promise<{ isDone: true } | { isDone: false; refused: Refused }> {
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems: items }));
    return { isDone: true };
  } catch (error) {
    const refused = refusedOf(error);
    if (refused.size === 0) throw error;
    return { isDone: false, refused };
  }
}
