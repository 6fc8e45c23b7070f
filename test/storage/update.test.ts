import { PutItemCommand, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { toItem } from '../../shared/storage/dynamo.ts';
import { update } from '../../shared/storage/writes.ts';
import { useDynamodb } from '../harness/embedded.ts';
import { losingResponses } from '../harness/lost-responses.ts';

describe('update', () => {
  const dynamodb = useDynamodb();
  const key = toItem({ uuid: 'u' });
  let table = '';
  beforeAll(async () => {
    table = await dynamodb.createTable('topics');
  });
  const at = (client = dynamodb.client) => ({ client, TableName: table });
  const put = (row: object) => dynamodb.client.send(new PutItemCommand({ TableName: table, Item: toItem(row) }));

  it('update changes a row even if attribute names are reserved words', async () => {
    await put({ uuid: 'u', name: 'old', status: 1, timestamp: 2 });
    const done = await update(at(), key, {
      set: { name: 'new', values: [1, { size: 2 }] },
      remove: ['status'],
      condition: '#name = :old AND #timestamp = :two',
      values: { old: 'old', two: 2 },
      returns: 'ALL_NEW',
    });
    expect(done).toMatchObject({ isDone: true, result: { Attributes: { name: { S: 'new' } } } });
    expect(await dynamodb.rowsOf(table)).toEqual([{ uuid: 'u', name: 'new', values: [1, { size: 2 }], timestamp: 2 }]);
  });

  it('update removes attributes', async () => {
    await put({ uuid: 'u', name: 'n', status: 1 });
    await update(at(), key, { remove: ['status'], condition: 'attribute_exists(#status)' });
    expect(await dynamodb.rowsOf(table)).toEqual([{ uuid: 'u', name: 'n' }]);
  });

  it('update returns the existing row and changes nothing if the condition fails', async () => {
    await put({ uuid: 'u', name: 'other' });
    const change = { set: { name: 'new' }, condition: '#name = :old', values: { old: 'old' } };
    expect(await update(at(), key, change)).toEqual({
      isDone: false,
      stored: toItem({ uuid: 'u', name: 'other' }),
    });
    expect(await update(at(), toItem({ uuid: 'no person' }), change)).toEqual({ isDone: false });
    expect(await dynamodb.rowsOf(table)).toEqual([{ uuid: 'u', name: 'other' }]);
  });

  it('update retries while a transaction locks the row', async () => {
    await put({ uuid: 'u', name: 'old' });
    const { client } = losingResponses(dynamodb.client, 'none');
    let conflicts = 3;
    client.middlewareStack.add(
      (next) => async (request) => {
        if (conflicts-- > 0) throw new TransactionConflictException({ message: 'ongoing', $metadata: {} });
        return next(request);
      },
      { step: 'deserialize', name: 'transactionElsewhere' },
    );
    const done = await update(at(client), key, { set: { name: 'new' }, condition: 'attribute_exists(#name)' });
    expect(done).toMatchObject({ isDone: true });
    expect(await dynamodb.rowsOf(table)).toEqual([{ uuid: 'u', name: 'new' }]);
  });

  it('update throws every error except a failed condition', async () => {
    const change = { set: { name: 'new' }, condition: 'no condition' };
    await expect(update(at(), key, change)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
