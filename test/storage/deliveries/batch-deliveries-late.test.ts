import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { aLease, delivered, moved, publishedAt, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingResponses } from '../../harness/lost-responses.ts';

const dynamodb = useDynamodb();
const { deliver } = deliveriesStore.permissions;

let table: string;
let deliveries: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  deliveries = deliver(dynamodb.client, table);
});

/** Acquires a batch with one delivery and records its outcome. */
async function recorded() {
  const task = {
    messageId: randomUUID(),
    taskKey: '00#000000#http',
    attempt: 0,
    protocol: 'http',
    publishedAt,
    rowShard: 0,
  } as const;
  const lease = aLease();
  await deliveries.acquire(task, lease);
  await deliveries.record(task, lease, { a: delivered });
  return task;
}
const outcomesOf = async (task: Awaited<ReturnType<typeof recorded>>) => {
  const claim = await deliveries.acquire(task, aLease(1));
  return claim.is === 'done' ? claim.outcomes : undefined;
};
const own = async () =>
  Object.fromEntries(
    (await dynamodb.rowsOf(table))
      .filter(({ taskKey }) => String(taskKey).startsWith('one#'))
      .map(({ taskKey, state, attempt }) => [String(taskKey), [state, attempt]]),
  );

describe('addLateSubscriptions', () => {
  it('addLateSubscriptions adds subscriptions to a recorded batch, with a separate row for each', async () => {
    const task = await recorded();
    await deliveries.addLateSubscriptions(task, aLease(), { b: moved, c: moved }, 1);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved, c: moved });
    expect(await own()).toEqual({ 'one#b': ['waiting', -1], 'one#c': ['waiting', -1] });
  });

  it('addLateSubscriptions adds all subscriptions when two concurrent runs add different subscriptions', async () => {
    const task = await recorded();
    await Promise.all([
      deliveries.addLateSubscriptions(task, aLease(), { b: moved, c: moved }, 1),
      deliveries.addLateSubscriptions(task, aLease(), { c: moved, d: moved, a: moved }, 1),
    ]);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved, c: moved, d: moved });
    expect(await own()).toEqual({
      'one#b': ['waiting', -1],
      'one#c': ['waiting', -1],
      'one#d': ['waiting', -1],
    });
  });

  it('addLateSubscriptions does not change the row of an existing single delivery', async () => {
    const task = await recorded();
    const lease = aLease();
    const ids = { ...task, taskKey: 'one#b' };
    await deliveries.acquireSingle(ids, 'b', lease);
    await deliveries.recordSingle(ids, 'b', lease, retried);
    await deliveries.addLateSubscriptions(task, aLease(), { b: moved, c: moved }, 1);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved, c: moved });
    expect(await own()).toEqual({ 'one#b': ['waiting', 0], 'one#c': ['waiting', -1] });
  });

  it('addLateSubscriptions writes only single-delivery rows if the row of the batch is full', async () => {
    const task = await recorded();
    await deliveries.addLateSubscriptions(task, aLease(), { b: moved }, 1);
    await deliveries.addLateSubscriptions(task, aLease(), { b: moved, c: moved }, 1500);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved });
    expect(await own()).toEqual({ 'one#b': ['waiting', -1], 'one#c': ['waiting', -1] });
  });

  it('addLateSubscriptions changes nothing after the row of the batch has expired', async () => {
    const task = {
      messageId: randomUUID(),
      taskKey: '00#000000#http',
      attempt: 0,
      protocol: 'http',
      publishedAt,
      rowShard: 0,
    } as const;
    await deliveries.addLateSubscriptions(task, aLease(), { b: moved }, 1);
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });

  it('addLateSubscriptions succeeds even if the response to its own write is lost', async () => {
    const task = await recorded();
    const { client, lost } = losingResponses(dynamodb.client, 'TransactWriteItemsCommand');
    await deliver(client, table).addLateSubscriptions(task, aLease(), { b: moved }, 1);
    expect(lost()).toBe(1);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved });
  });
});
