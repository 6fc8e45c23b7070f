import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, delivered, expiresAt, failed, moved, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingAnswers } from '../../harness/lost-responses.ts';
import { itemSize } from '../../simulation/dynamodb/item-size.ts';

const dynamodb = useDynamodb();
const { deliver } = ledgerStore.permissions;

let table: string;
let ledger: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  ledger = deliver(dynamodb.client, table);
});

const aTask = (given = {}) =>
  ({ messageId: randomUUID(), taskKey: '00#000000#http', attempt: 0, protocol: 'http', slice: 0, ...given }) as const;
const singleRows = async () =>
  (await dynamodb.rowsOf(table)).filter(({ taskKey }) => String(taskKey).startsWith('one#'));

describe('claim', () => {
  it('is granted to exactly one of many at once; the others are told that it is in hand', async () => {
    const task = aTask();
    const claims = await Promise.all(Array.from({ length: 12 }, () => ledger.claim(task, aLease())));
    expect(claims.map(({ is }) => is).toSorted()).toEqual([...Array(11).fill('busy'), 'claimed']);
  });

  it('is busy to the last millisecond of the lease, and granted again after it', async () => {
    const task = aTask();
    await ledger.claim(task, aLease());
    expect(await ledger.claim(task, aLease(29_999))).toEqual({ is: 'busy' });
    expect(await ledger.claim(task, aLease(30_000))).toEqual({ is: 'busy' });
    expect(await ledger.claim(task, aLease(30_001))).toEqual({ is: 'claimed' });
    expect(await ledger.claim(task, aLease(30_002))).toEqual({ is: 'busy' });
  });

  it('after a lease has run out is granted to one of many', async () => {
    const task = aTask();
    await ledger.claim(task, aLease());
    const claims = await Promise.all(Array.from({ length: 6 }, () => ledger.claim(task, aLease(31_000))));
    expect(claims.filter(({ is }) => is === 'claimed')).toHaveLength(1);
  });

  it('and record of ten deliveries take a row of at most 1 KB: more would be charged as two writes', async () => {
    const task = aTask();
    const lease = { ...aLease(), id: randomUUID() };
    const outcomes = Object.fromEntries(
      Array.from({ length: 10 }, () => [randomUUID(), { ...delivered, tookMs: 12_345 }]),
    );
    await ledger.claim(task, lease);
    expect(await ledger.record(task, lease, outcomes)).toBe(true);
    const [row] = await dynamodb.rowsOf(table);
    expect(itemSize(toItem(row ?? {}))).toBeLessThanOrEqual(1024);
    expect(await ledger.claim(task, aLease())).toMatchObject({ is: 'done', outcomes });
  });

  it('is done, with its outcomes, once it was recorded, however much later', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claim(task, lease);
    await ledger.record(task, lease, { a: retried });
    expect(await ledger.claim(task, aLease(1))).toEqual({ is: 'done', isFollowed: false, outcomes: { a: retried } });
    expect(await ledger.claim(task, aLease(1e9))).toEqual({ is: 'done', isFollowed: false, outcomes: { a: retried } });
  });

  it('is done for the very run that recorded it, too', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claim(task, lease);
    await ledger.record(task, lease, { a: delivered });
    expect(await ledger.claim(task, lease)).toEqual({ is: 'done', isFollowed: false, outcomes: { a: delivered } });
  });

  it('does not stand in the way of other tasks and other messages', async () => {
    const task = aTask();
    await ledger.claim(task, aLease());
    expect(await ledger.claim({ ...task, taskKey: '00#000001#http' }, aLease())).toEqual({ is: 'claimed' });
    expect(await ledger.claim({ ...task, messageId: randomUUID() }, aLease())).toEqual({ is: 'claimed' });
  });

  it('lets its row expire with the ledger', async () => {
    await ledger.claim(aTask(), aLease());
    expect(await dynamodb.rowsOf(table)).toMatchObject([{ expiresAt }]);
  });

  it('is ours when the answer to our own write was lost', async () => {
    const { client, lost } = losingAnswers(dynamodb.client, 'UpdateItemCommand');
    expect(await deliver(client, table).claim(aTask(), aLease())).toEqual({ is: 'claimed' });
    expect(lost()).toBe(1);
  });

  it('is ours when the answer was lost to taking over from a run that died', async () => {
    const task = aTask();
    await ledger.claim(task, aLease());
    const { client, lost } = losingAnswers(dynamodb.client, 'UpdateItemCommand');
    expect(await deliver(client, table).claim(task, aLease(31_000))).toEqual({ is: 'claimed' });
    expect(lost()).toBe(1);
  });
});

describe('record', () => {
  it('is refused to whoever let the lease run out and lost the claim', async () => {
    const [task, first, second] = [aTask(), aLease(), aLease(31_000)];
    await ledger.claim(task, first);
    await ledger.claim(task, second);
    expect(await ledger.record(task, first, { a: retried })).toBe(false);
    expect(await ledger.record(task, first, { a: delivered })).toBe(false);
    expect(await singleRows()).toEqual([]);
    expect(await ledger.record(task, second, { a: delivered })).toBe(true);
    expect(await ledger.claim(task, aLease(32_000))).toEqual({
      is: 'done',
      isFollowed: false,
      outcomes: { a: delivered },
    });
  });

  it.each([
    ['all delivered', { a: delivered }],
    ['one to be retried', { a: delivered, b: retried }],
  ])('is done once, and not by another run after it: %s', async (_what, outcomes) => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claim(task, lease);
    expect(await ledger.record(task, lease, outcomes)).toBe(true);
    expect(await ledger.record(task, aLease(), { a: failed })).toBe(false);
    expect(await ledger.record(task, aLease(), { a: delivered })).toBe(false);
    expect(await ledger.claim(task, aLease())).toEqual({ is: 'done', isFollowed: false, outcomes });
  });

  it.each([
    ['all delivered', { a: delivered }],
    ['one to be retried', { a: retried }],
  ])('is refused without a claim: %s', async (_what, outcomes) => {
    expect(await ledger.record(aTask(), aLease(), outcomes)).toBe(false);
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });

  it('opens no row for those who were reached', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claim(task, lease);
    await ledger.record(task, lease, { a: delivered, b: delivered });
    expect(await singleRows()).toEqual([]);
  });

  it('opens a row of its own for each that was not, in the state that follows', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claim(task, lease);
    await ledger.record(task, lease, { a: delivered, b: retried, c: failed, d: moved });
    const rows = Object.fromEntries((await singleRows()).map((row) => [String(row.taskKey), row]));
    expect(Object.keys(rows).toSorted()).toEqual(['one#b', 'one#c', 'one#d']);
    const { messageId } = task;
    const common = { messageSlice: `${messageId}#0`, messageId, protocol: 'http', base: 0, isFollowed: true };
    expect(rows['one#b']).toEqual({
      ...{ ...common, taskKey: 'one#b', owner: 'b', state: 'waiting', attempt: 0, outcome: retried },
      standing: `waiting#${messageId}`,
      notBefore: noon + 60_000,
      // Kept for as long after its retry as it would be after now.
      expiresAt: expiresAt + 60,
      sweepShard: expect.stringMatching(/^due#\d+$/),
      sweepAt: String(noon + 60_000 + 5 * 60_000).padStart(15, '0'),
    });
    expect(rows['one#c']).toEqual({
      ...{ ...common, taskKey: 'one#c', owner: 'c', state: 'failed', attempt: 0, outcome: failed, expiresAt },
      standing: `failed#${messageId}`,
      sweepShard: expect.stringMatching(/^failed#\d+$/),
      sweepAt: String(noon).padStart(15, '0'),
    });
    // Its first attempt is still to come.
    expect(rows['one#d']).toMatchObject({ state: 'waiting', attempt: -1, outcome: moved, notBefore: noon });
  });

  it.each([
    ['all delivered', 'UpdateItemCommand', { a: delivered }],
    ['one to be retried', 'TransactWriteItemsCommand', { a: delivered, b: retried }],
  ])('is done when the answer to our own write was lost: %s', async (_what, command, outcomes) => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claim(task, lease);
    const { client, lost } = losingAnswers(dynamodb.client, command);
    expect(await deliver(client, table).record(task, lease, outcomes)).toBe(true);
    expect(lost()).toBe(1);
    expect(await ledger.claim(task, aLease())).toEqual({ is: 'done', isFollowed: false, outcomes });
  });

  it.each([
    ['all delivered', { a: delivered }],
    ['one to be retried', { a: delivered, b: retried }],
  ])('is done when the process sends it once more by itself: %s', async (_what, outcomes) => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claim(task, lease);
    expect(await ledger.record(task, lease, outcomes)).toBe(true);
    expect(await ledger.record(task, lease, outcomes)).toBe(true);
  });
});
