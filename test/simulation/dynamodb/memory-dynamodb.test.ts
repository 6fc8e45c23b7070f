import {
  BatchGetItemCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
  ThrottlingException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { TableName } from '../../../shared/contract/tables.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { topicGeneration } from '../../../shared/storage/subscriptions/rows.ts';
import { noon } from '../../harness/builders.ts';
import { attach } from '../aws/attach.ts';
import type { Charge } from './capacity.ts';
import { MemoryDynamodb } from './memory-dynamodb.ts';
import type { TablesOptions } from './tables.ts';

/** Returns a simulated DynamoDB with tables, and a client connected to it. Tests set the time with `clock.at`. */
function start(options: Partial<TablesOptions> = {}, ...names: TableName[]) {
  const clock = { at: noon };
  const memory = new MemoryDynamodb({ now: () => clock.at, ...options });
  for (const name of ['topics', ...names] as const) memory.createTable(name);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDBClient({ region: 'us-east-1', credentials });
  attach(client, memory);
  const put = (TableName: string, row: object) => client.send(new PutItemCommand({ TableName, Item: toItem(row) }));
  return { clock, memory, client, put };
}

const active = { topicUuid: 't', generation: '1' };
const subscription = (uuid: string) => ({
  uuid,
  activeTopic: topicGeneration(active),
  protocol: 'http',
  activeSince: 1,
});

const activePages = (client: DynamoDBClient, pageSize?: number) =>
  Array.fromAsync(
    paginateQuery(
      { client, ...(pageSize && { pageSize }) },
      {
        TableName: 'subscriptions',
        IndexName: 'activeByTopic',
        KeyConditionExpression: 'activeTopic = :topic',
        ExpressionAttributeValues: { ':topic': { S: topicGeneration(active) } },
      },
    ),
  );
const activeOf = async (client: DynamoDBClient): Promise<unknown[]> =>
  (await activePages(client)).flatMap(({ Items = [] }) => Items.map(({ uuid }) => uuid?.S));

describe('an index', () => {
  it('an index shows each change after a lag, and keeps the order of changes to a row', async () => {
    const lags = [5000, 100, 0];
    const { clock, client, put } = start({ indexLagMs: () => lags.shift() ?? 0 }, 'subscriptions');
    await put('subscriptions', subscription('a'));
    await put('subscriptions', { uuid: 'a' });
    await put('subscriptions', { ...subscription('a'), protocol: 'email' });
    const seen: unknown[] = [];
    for (const at of [0, 100, 4999, 5000]) {
      clock.at = noon + at;
      seen.push(await activeOf(client));
    }
    expect(seen).toEqual([[], [], [], ['a']]);
  });
});

it('a Query page can end early, and the next page starts with the next row', async () => {
  const { client, put } = start({ endsPage: () => true }, 'subscriptions');
  for (const uuid of ['a', 'b', 'c']) await put('subscriptions', subscription(uuid));
  expect((await activePages(client, 2)).map(({ Count }) => Count)).toEqual([1, 1, 1, 0]);
});

it('a Query rejects a start key outside its range', async () => {
  const { client, put } = start({}, 'deliveries');
  for (const taskKey of ['a', 'b', 'c']) await put('deliveries', { messageShard: 'm#0', taskKey });
  const goOnFrom = (taskKey: string) =>
    client.send(
      new QueryCommand({
        TableName: 'deliveries',
        KeyConditionExpression: 'messageShard = :slice AND taskKey BETWEEN :from AND :to',
        ExpressionAttributeValues: toItem({ ':slice': 'm#0', ':from': 'b', ':to': 'c' }),
        ExclusiveStartKey: toItem({ messageShard: 'm#0', taskKey }),
      }),
    );
  expect((await goOnFrom('b')).Count).toBe(1);
  for (const outside of ['a', 'd']) {
    await expect(goOnFrom(outside)).rejects.toMatchObject({ name: 'ValidationException' });
  }
});

describe('expiry', () => {
  it('a row is deleted some time after it expires, and never before', async () => {
    const { clock, memory, put } = start({ ttlLagMs: 3_600_000 }, 'deliveries');
    const expiresAt = noon / 1000 + 60;
    await put('deliveries', { messageShard: 'm#0', taskKey: 'a', expiresAt });
    await put('deliveries', { messageShard: 'm#0', taskKey: 'b', expiresAt: expiresAt + 86_400 });
    const sizes: number[] = [];
    for (const hours of [1, 3]) {
      clock.at = noon + hours * 3_600_000;
      await put('topics', { uuid: 'x' });
      sizes.push(memory.tables.table('deliveries').size);
    }
    expect(sizes).toEqual([2, 1]);
  });
});

describe('a transaction', () => {
  const item = (uuid: string) => ({ Put: { TableName: 'topics', Item: toItem({ uuid }) } });

  it('a running transaction conflicts with other writes to its rows', async () => {
    const gate = Promise.withResolvers<void>();
    const { client, put } = start({ holdTransaction: () => gate.promise });
    const first = client.send(new TransactWriteItemsCommand({ TransactItems: [item('a'), item('b')] }));
    await expect(put('topics', { uuid: 'b' })).rejects.toMatchObject({ name: 'TransactionConflictException' });
    const second = client.send(new TransactWriteItemsCommand({ TransactItems: [item('c'), item('b')] }));
    await expect(second).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
    gate.resolve();
    await first;
    await put('topics', { uuid: 'b' });
  });

  it('a transaction runs only once per client request token', async () => {
    const { memory, client } = start();
    const send = (uuid: string) =>
      client.send(new TransactWriteItemsCommand({ TransactItems: [item(uuid)], ClientRequestToken: 'one' }));
    await send('a');
    memory.tables.table('topics').commit({
      ...{ table: memory.tables.table('topics'), key: { partition: 'a', sort: '' } },
      ...{ before: toItem({ uuid: 'a' }), after: undefined },
    });
    await send('a');
    expect(memory.tables.table('topics').size).toBe(0);
    await expect(send('b')).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
  });
});

describe('capacity', () => {
  /** Returns a limited capacity that records its charges. */
  function limited(units: number) {
    const charges: Charge[] = [];
    let left = units;
    const take = (asked: readonly Charge[]) => {
      charges.push(...asked);
      const sum = asked.reduce((all, { units }) => all + units, 0);
      if (sum > left) return asked[0];
      left -= sum;
      return undefined;
    };
    return { charges, take };
  }

  it('capacity is charged per KB written and per 4 KB read, twice in transactions, and also for changed index entries', async () => {
    const capacity = limited(1000);
    const { client, put } = start({ capacity }, 'subscriptions');
    await put('subscriptions', { ...subscription('a'), text: 'x'.repeat(2100) });
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [{ Put: { TableName: 'topics', Item: toItem({ uuid: 'a', text: 'x'.repeat(2000) }) } }],
      }),
    );
    await activeOf(client);
    expect(capacity.charges.map(({ table, index, of, units }) => [table, index, of, units])).toEqual([
      ['subscriptions', undefined, 'writes', 3],
      ['subscriptions', 'activeByTopic', 'writes', 1],
      ['topics', undefined, 'writes', 4],
      ['subscriptions', 'activeByTopic', 'reads', 0.5],
    ]);
  });

  it('a request that exceeds the capacity is throttled, and a batch read returns its unprocessed keys', async () => {
    const { client, put } = start({ capacity: limited(3) });
    for (const uuid of ['a', 'b']) await put('topics', { uuid });
    const Keys = ['a', 'b', 'c'].map((uuid) => toItem({ uuid }));
    const read = await client.send(
      new BatchGetItemCommand({ RequestItems: { topics: { Keys, ConsistentRead: false } } }),
    );
    expect(read.Responses?.topics).toHaveLength(2);
    expect(read.UnprocessedKeys?.topics?.Keys).toEqual([toItem({ uuid: 'c' })]);
    const { memory } = start({ capacity: limited(0) });
    await expect(
      memory.execute('PutItem', { TableName: 'topics', Item: toItem({ uuid: 'c' }) }),
    ).rejects.toBeInstanceOf(ThrottlingException);
  });
});
