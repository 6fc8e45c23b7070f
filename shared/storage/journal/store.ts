import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { type IndexName, tables } from '../../contract/tables.ts';
import { callerText, journalKeys, shardKey, shards, uinShards } from '../../domain/journal/journal-keys.ts';
import { type JournalEntry, type JournalPage, journalRow } from '../../domain/journal/journal-row.ts';
import { dayMs, isoTime } from '../../domain/time.ts';
import { batchWrite } from '../batches.ts';
import { type DynamoTable, fromItem, type Item, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { putIf } from '../writes.ts';

export const itemsOf = ({ id, rows, at, lateAt = at, days }: JournalEntry): Item[] =>
  rows.map((given, ordinal) => {
    const row = { ...given, at: isoTime(at), caller: callerText(given.caller) };
    return toItem({
      ...row,
      ...journalKeys(row, id, ordinal, isoTime(lateAt)),
      expiresAt: Math.floor((at + days * dayMs) / 1000),
    });
  });

const writeMany = (table: DynamoTable) => ({
  /** Writes a journal entry with many rows in batches of 25. Safe to repeat. */
  putMany: (entry: JournalEntry): Promise<void> => batchWrite(table, itemsOf(entry)),
});

// If a row exists, an earlier attempt wrote the row, but the response was lost. Rows are never overwritten.
const condition = 'attribute_not_exists(#moment)';

const write = (table: DynamoTable) => ({
  async put(entry: JournalEntry): Promise<void> {
    await Promise.all(itemsOf(entry).map((item) => putIf(table, item, { condition })));
  },
});

// A page with this many rows stays below the 6 MB response limit, even if all strings have their maximum length.
const maxPageRows = 640;

const momentOf = ({ moment }: Item): string => moment?.S ?? '';

/**
 * Returns the rows of all given persons or callers after a given time, ordered by time. The result ends at the latest
 * time that the reads of all shards have reached.
 */
async function page(
  { client, TableName }: DynamoTable,
  IndexName: IndexName<'journal'>,
  owners: readonly string[],
  shardsOfOwner: readonly number[],
  after: string,
): Promise<JournalPage> {
  const { partition } = tables.journal.indexes[IndexName];
  const keys = owners.flatMap((owner) => shardsOfOwner.map((shard) => shardKey(owner, shard)));
  const reading = keys.map((one) =>
    client.send(
      new QueryCommand({
        TableName,
        IndexName,
        KeyConditionExpression: `${partition} = :key AND moment > :after`,
        ExpressionAttributeValues: toItem({ ':key': one, ':after': after }),
        Limit: Math.max(1, Math.floor(maxPageRows / keys.length)),
      }),
    ),
  );
  const pages = await Promise.all(reading);
  const [next] = pages
    .flatMap(({ LastEvaluatedKey }) => (LastEvaluatedKey === undefined ? [] : [momentOf(LastEvaluatedKey)]))
    .toSorted();
  const found = pages.flatMap(({ Items = [] }) => Items);
  const items = found.toSorted((one, other) => Number(momentOf(one) > momentOf(other)) || -1);
  const known = next === undefined ? items : items.filter((item) => momentOf(item) <= next);
  // A person with many former UINs can have more shards than a page has rows.
  const rows = known.slice(0, maxPageRows);
  const last = rows.length < known.length ? rows.at(-1) : undefined;
  return { rows: rows.map((item) => fromItem(journalRow, item)), next: last === undefined ? next : momentOf(last) };
}

const read = (table: DynamoTable) => ({
  /**
   * Returns a page of journal rows about a person.
   * @param uins all UINs of the person
   * @param after an RFC 3339 time, or the `next` value of the previous page
   */
  ofPerson: (uins: readonly string[], after: string): Promise<JournalPage> =>
    page(table, 'byUin', uins, uinShards, after),

  ofCaller: (caller: string, after: string): Promise<JournalPage> => page(table, 'byCaller', [caller], shards, after),
});

export const journal = tableStore('journal', { write, writeMany, read }, true);
