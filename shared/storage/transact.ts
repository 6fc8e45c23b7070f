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

const isRefused = (error: unknown): boolean => reasonsOf(error).some(({ Code }) => Code === 'ConditionalCheckFailed');

const isPassing = (error: unknown): boolean =>
  !isRefused(error) && reasonsOf(error).some(({ Code = '' }) => passing.has(Code));

/** The items whose conditions failed, by their place, with the row that stood in the way (where the item asks for it). */
type Refused = ReadonlyMap<number, Item | undefined>;

const refusedOf = (error: unknown): Refused =>
  new Map(
    reasonsOf(error).flatMap(({ Code, Item }, index) =>
      Code === 'ConditionalCheckFailed' ? [[index, Item] as const] : [],
    ),
  );

/**
 * Writes all or nothing; answers whose conditions failed. When another write holds one of the rows at this moment, or DynamoDB is too busy, it is tried again
 * a little later.
 */
export async function transact(
  client: DynamoDBClient,
  items: TransactWriteItem[],
): Promise<{ isDone: true } | { isDone: false; refused: Refused }> {
  const write = () => client.send(new TransactWriteItemsCommand({ TransactItems: items }));
  try {
    await whilePassing(write, isPassing);
    return { isDone: true };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return { isDone: false, refused: refusedOf(error) };
  }
}
