import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './dynamo.ts';

const mostTries = 6;
const firstPauseMs = 25;
// Reasons that say nothing about our conditions, and that the SDK does not try again.
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Writes all or nothing. When the condition of the first item fails, answers the row that stood in its way (where the
 * item asks for it). When another write holds one of the rows at this moment, or DynamoDB is too busy, it is tried again
 * a little later.
 */
export async function transact(
  client: DynamoDBClient,
  items: TransactWriteItem[],
): Promise<{ isDone: true } | { isDone: false; stored: Item | undefined }> {
  for (let tries = 1; ; tries++) {
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: items }));
      return { isDone: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      if (reasons[0]?.Code === 'ConditionalCheckFailed') return { isDone: false, stored: reasons[0].Item };
      if (tries === mostTries || !reasons.some(({ Code = '' }) => passing.has(Code))) throw error;
      await sleep(firstPauseMs * 2 ** (tries - 1));
    }
  }
}
