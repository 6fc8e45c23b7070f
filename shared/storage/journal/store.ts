import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import { callerText, journalKeys } from '../../domain/journal/journal-keys.ts';
import type { JournalEntry } from '../../domain/journal/journal-row.ts';
import { dayMs, isoTime } from '../../domain/time.ts';
import { batchWrite } from '../batches.ts';
import { type Item, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { putIf } from '../update.ts';
import { read } from './read.ts';

export const itemsOf = ({ id, rows, at, lateAt = at, days }: JournalEntry): Item[] =>
  rows.map((given, ordinal) => {
    const row = { ...given, at: isoTime(at), caller: callerText(given.caller) };
    return toItem({
      ...row,
      ...journalKeys(row, id, ordinal, isoTime(lateAt)),
      expiresAt: Math.floor((at + days * dayMs) / 1000),
    });
  });

const writeMany = (client: DynamoDBClient, table: string) => ({
  /** Writes a journal entry with many rows in batches of 25. Safe to repeat. */
  putMany: (entry: JournalEntry): Promise<void> => batchWrite(client, table, itemsOf(entry)),
});

// If a row exists, an earlier attempt wrote the row, but the response was lost. Rows are never overwritten.
const condition = 'attribute_not_exists(#moment)';

const write = (client: DynamoDBClient, table: string) => ({
  async put(entry: JournalEntry): Promise<void> {
    await Promise.all(itemsOf(entry).map((item) => putIf(client, table, item, { condition })));
  },
});

export const journal = defineStore({
  name: 'journal',
  ...tableStore,
  permissions: { write, writeMany, read },
  isUsedConcurrently: true,
});
