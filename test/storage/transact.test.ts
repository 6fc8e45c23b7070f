import { TransactionCanceledException, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toItem } from '../../shared/storage/dynamo.ts';
import { transact } from '../../shared/storage/writes.ts';
import { useDynamodb } from '../harness/embedded.ts';
import { losingResponses } from '../harness/lost-responses.ts';

const dynamodb = useDynamodb();
let table: string;
beforeEach(async () => {
  // Replaces the random source, so that random pauses last 0 ms.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  table = await dynamodb.createTable('topics');
});

const put = (uuid: string, name: string): TransactWriteItem => ({
  Put: {
    TableName: table,
    Item: toItem({ uuid, name }),
    ConditionExpression: 'attribute_not_exists(#uuid)',
    ExpressionAttributeNames: { '#uuid': 'uuid' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

/**
 * Returns a client whose first transactions are cancelled for the given reasons before they reach DynamoDB. Also
 * returns a function that counts the cancelled transactions.
 */
function cancelling(times: number, ...codes: string[]) {
  let cancelled = 0;
  const { client } = losingResponses(dynamodb.client, 'none');
  client.middlewareStack.add(
    (next) => (request) => {
      if (cancelled === times) return next(request);
      cancelled += 1;
      const CancellationReasons = codes.map((Code) => ({ Code }));
      throw new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });
    },
    { step: 'deserialize', name: 'cancel' },
  );
  return { client, cancelled: () => cancelled };
}

describe('transact', () => {
  it('transact returns the items whose conditions failed', async () => {
    await transact(dynamodb, [put('b', '1')]);
    const write = await transact(dynamodb, [put('a', '2'), put('b', '2')]);
    expect(write).toEqual({ isDone: false, failed: new Map([[1, toItem({ uuid: 'b', name: '1' })]]) });
    expect(await dynamodb.rowsOf(table)).toEqual([{ uuid: 'b', name: '1' }]);
  });

  it.each([
    ['another write holds the first row', ['TransactionConflict', 'None']],
    ['another write holds the second row', ['None', 'TransactionConflict']],
    ['DynamoDB throttles it', ['None', 'ThrottlingError']],
    ["the table's throughput is exceeded", ['ProvisionedThroughputExceeded', 'None']],
  ])('transact retries while %s', async (_what, codes) => {
    const { client, cancelled } = cancelling(3, ...codes);
    expect(await transact({ client }, [put('a', '1'), put('b', '2')])).toEqual({ isDone: true });
    expect(cancelled()).toBe(3);
    expect(await dynamodb.rowsOf(table)).toHaveLength(2);
  });

  it('transact throws after several tries', async () => {
    const { client, cancelled } = cancelling(100, 'TransactionConflict');
    await expect(transact({ client }, [put('a', '1')])).rejects.toBeInstanceOf(TransactionCanceledException);
    expect(cancelled()).toBe(8);
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });

  it('transact does not retry a transaction that was cancelled because of a validation error', async () => {
    const { client, cancelled } = cancelling(100, 'ValidationError', 'None');
    await expect(transact({ client }, [put('a', '1')])).rejects.toBeInstanceOf(TransactionCanceledException);
    expect(cancelled()).toBe(1);
  });
});
