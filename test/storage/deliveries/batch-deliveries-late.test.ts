import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { aLease, delivered, moved, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingAnswers } from '../../harness/lost-responses.ts';

const dynamodb = useDynamodb();
const { deliver } = ledgerStore.permissions;

let table: string;
let ledger: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  ledger = deliver(dynamodb.client, table);
});

/** A task that was recorded with one delivered. */
async function recorded() {
  const task = { messageId: randomUUID(), taskKey: '00#000000#http', attempt: 0, protocol: 'http', slice: 0 } as const;
  const lease = aLease();
  await ledger.claim(task, lease);
  await ledger.record(task, lease, { a: delivered });
  return task;
}
const outcomesOf = async (task: Awaited<ReturnType<typeof recorded>>) => {
  const claim = await ledger.claim(task, aLease(1));
  return claim.is === 'done' ? claim.outcomes : undefined;
};
const own = async () =>
  Object.fromEntries(
    (await dynamodb.rowsOf(table))
      .filter(({ taskKey }) => String(taskKey).startsWith('one#'))
      .map(({ taskKey, state, attempt }) => [String(taskKey), [state, attempt]]),
  );

describe('admit', () => {
  it('takes subscriptions into a recorded task, each with a row of its own', async () => {
    const task = await recorded();
    await ledger.admit(task, aLease(), { b: moved, c: moved }, 1);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved, c: moved });
    expect(await own()).toEqual({ 'one#b': ['waiting', -1], 'one#c': ['waiting', -1] });
  });

  it('takes all that two copies admit at once, whose sets differ', async () => {
    const task = await recorded();
    await Promise.all([
      ledger.admit(task, aLease(), { b: moved, c: moved }, 1),
      ledger.admit(task, aLease(), { c: moved, d: moved, a: moved }, 1),
    ]);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved, c: moved, d: moved });
    expect(await own()).toEqual({
      'one#b': ['waiting', -1],
      'one#c': ['waiting', -1],
      'one#d': ['waiting', -1],
    });
  });

  it('leaves a row of its own as it stands', async () => {
    const task = await recorded();
    const lease = aLease();
    const ids = { ...task, taskKey: 'one#b' };
    await ledger.claimSingle(ids, 'b', lease);
    await ledger.recordSingle(ids, 'b', lease, retried);
    await ledger.admit(task, aLease(), { b: moved, c: moved }, 1);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved, c: moved });
    expect(await own()).toEqual({ 'one#b': ['waiting', 0], 'one#c': ['waiting', -1] });
  });

  it('opens own rows alone for a task whose row is full', async () => {
    const task = await recorded();
    await ledger.admit(task, aLease(), { b: moved }, 1);
    await ledger.admit(task, aLease(), { b: moved, c: moved }, 1500);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved });
    expect(await own()).toEqual({ 'one#b': ['waiting', -1], 'one#c': ['waiting', -1] });
  });

  it('changes nothing of what the ledger has forgotten', async () => {
    const task = {
      messageId: randomUUID(),
      taskKey: '00#000000#http',
      attempt: 0,
      protocol: 'http',
      slice: 0,
    } as const;
    await ledger.admit(task, aLease(), { b: moved }, 1);
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });

  it('is done when the answer to our own write was lost', async () => {
    const task = await recorded();
    const { client, lost } = losingAnswers(dynamodb.client, 'TransactWriteItemsCommand');
    await deliver(client, table).admit(task, aLease(), { b: moved }, 1);
    expect(lost()).toBe(1);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved });
  });
});
