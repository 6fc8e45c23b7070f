import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { IndexName } from '../../contract/tables.ts';
import { callerShard, shards, uinShard, uinShards } from '../../domain/journal/journal-keys.ts';
import { type JournalPage, journalRow } from '../../model/journal/journal-row.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';

// Where every text in them is as long as it may be, so many are less than the 6 MB of an answer.
const mostOfPage = 640;

const sorted = (items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => Number(momentOf(one) > momentOf(other)) || -1);

const momentOf = ({ moment }: Item): string => moment?.S ?? '';

export const read = (client: DynamoDBClient, table: string) => {
  /** What the shards of a key hold after a moment, the earliest first, as far as all of them were read. */
  async function page(
    IndexName: IndexName<'journal'>,
    key: string,
    keys: readonly string[],
    after: string,
  ): Promise<JournalPage> {
    const reading = keys.map((one) =>
      client.send(
        new QueryCommand({
          TableName: table,
          IndexName,
          KeyConditionExpression: '#key = :key AND moment > :after',
          ExpressionAttributeNames: { '#key': key },
          ExpressionAttributeValues: toItem({ ':key': one, ':after': after }),
          Limit: mostOfPage / keys.length,
        }),
      ),
    );
    const pages = await Promise.all(reading);
    const [next] = pages
      .flatMap(({ LastEvaluatedKey }) => (LastEvaluatedKey === undefined ? [] : [momentOf(LastEvaluatedKey)]))
      .toSorted();
    const items = sorted(pages.flatMap(({ Items = [] }) => Items));
    const known = next === undefined ? items : items.filter((item) => momentOf(item) <= next);
    return { rows: known.map((item) => fromItem(journalRow, item)), next };
  }

  return {
    /** A page of what is journaled of a person after a moment: a time (RFC 3339), or `next` of the page before. */
    ofPerson: (uin: string, after: string): Promise<JournalPage> =>
      page(
        'byUin',
        'uinShard',
        uinShards.map((shard) => uinShard(uin, shard)),
        after,
      ),

    /** The same of what a caller asked. */
    ofCaller: (caller: string, after: string): Promise<JournalPage> =>
      page(
        'byCaller',
        'callerShard',
        shards.map((shard) => callerShard(caller, shard)),
        after,
      ),
  };
};
