import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { JournalEntry } from '../../model/journal/journal-row.ts';
import { unlessConflict } from '../dynamo.ts';
import { itemsOf } from './rows.ts';

// A row that is there is this one, of a try whose answer was lost: nothing is ever written over.
const ConditionExpression = 'attribute_not_exists(moment)';

export const write = (client: DynamoDBClient, table: string) => ({
  /** Writes an entry of a row or two, a write each. */
  async put(entry: JournalEntry): Promise<void> {
    const puts = itemsOf(entry).map((Item) =>
      unlessConflict(client.send(new PutItemCommand({ TableName: table, Item, ConditionExpression }))),
    );
    await Promise.all(puts);
  },
});
