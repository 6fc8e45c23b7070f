import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { timeKey } from '../../../shared/storage/deliveries/rows.ts';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { noon } from '../../harness/builders.ts';
import {
  aBatchTask,
  aLease,
  delivered,
  expiresAt,
  failed,
  moved,
  publishedAt,
  retried,
} from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingResponses } from '../../harness/lost-responses.ts';
import { itemSize } from '../../simulation/dynamodb/item-size.ts';

const dynamodb = useDynamodb();
const { deliver } = deliveriesStore.permissions;

let table: string;
let deliveries: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  deliveries = deliver(dynamodb.client, table);
});

const singleRows = async () =>
  (await dynamodb.rowsOf(table)).filter(({ taskKey }) => String(taskKey).startsWith('one#'));

describe('acquire', () => {
  it('acquire succeeds for only one of many concurrent runs and returns "busy" to the other runs', async () => {
    const task = aBatchTask();
    const claims = await Promise.all(Array.from({ length: 12 }, () => deliveries.acquire(task, aLease())));
    expect(claims.map(({ is }) => is).toSorted()).toEqual([...Array(11).fill('busy'), 'leased']);
  });

  it('acquire returns "busy" until the last millisecond of a lease, and succeeds once the lease has expired', async () => {
    const task = aBatchTask();
    await deliveries.acquire(task, aLease());
    expect(await deliveries.acquire(task, aLease(29_999))).toEqual({ is: 'busy' });
    expect(await deliveries.acquire(task, aLease(30_000))).toEqual({ is: 'busy' });
    expect(await deliveries.acquire(task, aLease(30_001))).toEqual({ is: 'leased' });
    expect(await deliveries.acquire(task, aLease(30_002))).toEqual({ is: 'busy' });
  });

  it('acquire and record store ten deliveries in a row of at most 1 KB, because larger rows cost more', async () => {
    const task = aBatchTask();
    const lease = { ...aLease(), id: randomUUID() };
    const outcomes = Object.fromEntries(
      Array.from({ length: 10 }, () => [randomUUID(), { ...delivered, tookMs: 12_345 }]),
    );
    await deliveries.acquire(task, lease);
    expect(await deliveries.record(task, lease, outcomes)).toBe(true);
    const [row] = await dynamodb.rowsOf(table);
    expect(itemSize(toItem(row ?? {}))).toBeLessThanOrEqual(1024);
    expect(await deliveries.acquire(task, aLease())).toMatchObject({ is: 'done', outcomes });
  });

  it('acquire returns the recorded outcomes at any later time, even to the run that recorded them', async () => {
    const [task, lease] = [aBatchTask(), aLease()];
    await deliveries.acquire(task, lease);
    await deliveries.record(task, lease, { a: retried });
    const done = { is: 'done', hasRunAfterEffects: false, outcomes: { a: retried } };
    for (const again of [lease, aLease(1), aLease(1e9)]) expect(await deliveries.acquire(task, again)).toEqual(done);
  });

  it('acquire does not affect other tasks or other messages', async () => {
    const task = aBatchTask();
    await deliveries.acquire(task, aLease());
    expect(await deliveries.acquire({ ...task, taskKey: '00#000001#http' }, aLease())).toEqual({ is: 'leased' });
    expect(await deliveries.acquire({ ...task, messageId: randomUUID() }, aLease())).toEqual({ is: 'leased' });
  });

  it('acquire sets the expiry of the row', async () => {
    await deliveries.acquire(aBatchTask(), aLease());
    expect(await dynamodb.rowsOf(table)).toMatchObject([{ expiresAt }]);
  });

  it('acquire succeeds for a run that replaces a stopped run, even if the response to the write is lost', async () => {
    const task = aBatchTask();
    await deliveries.acquire(task, aLease());
    const { client, lost } = losingResponses(dynamodb.client, 'UpdateItemCommand');
    expect(await deliver(client, table).acquire(task, aLease(31_000))).toEqual({ is: 'leased' });
    expect(lost()).toBe(1);
  });
});

describe('record', () => {
  it('record fails for a run that lost its lease to another run', async () => {
    const [task, first, second] = [aBatchTask(), aLease(), aLease(31_000)];
    await deliveries.acquire(task, first);
    await deliveries.acquire(task, second);
    expect(await deliveries.record(task, first, { a: retried })).toBe(false);
    expect(await deliveries.record(task, first, { a: delivered })).toBe(false);
    expect(await singleRows()).toEqual([]);
    expect(await deliveries.record(task, second, { a: delivered })).toBe(true);
    expect(await deliveries.acquire(task, aLease(32_000))).toEqual({
      is: 'done',
      hasRunAfterEffects: false,
      outcomes: { a: delivered },
    });
  });

  it.each([
    ['all delivered', { a: delivered }],
    ['one delivery with a retry', { a: delivered, b: retried }],
  ])(
    'record succeeds only for the run that holds the lease, even if it repeats the call: %s',
    async (_what, outcomes) => {
      const [task, lease] = [aBatchTask(), aLease()];
      expect(await deliveries.record(task, lease, outcomes)).toBe(false);
      expect(await dynamodb.rowsOf(table)).toEqual([]);
      await deliveries.acquire(task, lease);
      for (const _ of [1, 2]) expect(await deliveries.record(task, lease, outcomes)).toBe(true);
      expect(await deliveries.record(task, aLease(), { a: failed })).toBe(false);
      expect(await deliveries.record(task, aLease(), { a: delivered })).toBe(false);
      expect(await deliveries.acquire(task, aLease())).toEqual({ is: 'done', hasRunAfterEffects: false, outcomes });
    },
  );

  it('record creates a row with the next state for each subscription that has not received the message', async () => {
    const [task, lease] = [aBatchTask(), aLease()];
    await deliveries.acquire(task, lease);
    await deliveries.record(task, lease, { a: delivered, b: retried, c: failed, d: moved });
    const rows = Object.fromEntries((await singleRows()).map((row) => [String(row.taskKey), row]));
    expect(Object.keys(rows).toSorted()).toEqual(['one#b', 'one#c', 'one#d']);
    const { messageId } = task;
    const common = { messageShard: `${messageId}#0`, messageId, protocol: 'http', base: 0, hasRunAfterEffects: true };
    expect(rows['one#b']).toEqual({
      ...{ ...common, taskKey: 'one#b', owner: 'b', state: 'waiting', attempt: 0, outcome: retried },
      statusKey: `waiting#${publishedAt}#${messageId}`,
      notBefore: noon + 60_000,
      // The row expires 60 seconds later than usual, because the retry is due 60 seconds later.
      expiresAt: expiresAt + 60,
      sweepShard: expect.stringMatching(/^due#\d+$/),
      sweepAt: String(noon + 60_000 + 5 * 60_000).padStart(15, '0'),
    });
    expect(rows['one#c']).toEqual({
      ...{ ...common, taskKey: 'one#c', owner: 'c', state: 'failed', attempt: 0, outcome: failed, expiresAt },
      statusKey: `failed#${timeKey(noon)}#${messageId}`,
      sweepShard: expect.stringMatching(/^failed#\d+$/),
      sweepAt: String(noon).padStart(15, '0'),
    });
    // A deferred delivery has not yet had its first attempt.
    expect(rows['one#d']).toMatchObject({ state: 'waiting', attempt: -1, outcome: moved, notBefore: noon });
  });

  it.each([
    ['all delivered', 'UpdateItemCommand', { a: delivered }],
    ['one delivery with a retry', 'TransactWriteItemsCommand', { a: delivered, b: retried }],
  ])('record succeeds even if the response to its own write is lost: %s', async (_what, command, outcomes) => {
    const [task, lease] = [aBatchTask(), aLease()];
    await deliveries.acquire(task, lease);
    const { client, lost } = losingResponses(dynamodb.client, command);
    expect(await deliver(client, table).record(task, lease, outcomes)).toBe(true);
    expect(lost()).toBe(1);
    expect(await deliveries.acquire(task, aLease())).toEqual({ is: 'done', hasRunAfterEffects: false, outcomes });
  });
});

describe('late subscriptions', () => {
  /** Acquires a batch with one delivery and records its outcome. */
  async function recorded() {
    const [task, lease] = [aBatchTask(), aLease()];
    await deliveries.acquire(task, lease);
    await deliveries.record(task, lease, { a: delivered });
    return task;
  }
  const outcomesOf = async (task: ReturnType<typeof aBatchTask>) => {
    const claim = await deliveries.acquire(task, aLease(1));
    return claim.is === 'done' ? claim.outcomes : undefined;
  };
  const own = async () =>
    Object.fromEntries((await singleRows()).map(({ taskKey, state, attempt }) => [String(taskKey), [state, attempt]]));

  it('openLateSingles creates a row for each subscription and does not change rows of existing single deliveries', async () => {
    const task = await recorded();
    const lease = aLease();
    const ids = { ...task, taskKey: 'one#b' };
    await deliveries.acquireSingle(ids, 'b', lease);
    await deliveries.recordSingle(ids, 'b', lease, retried);
    await deliveries.openLateSingles(task, aLease(), { b: moved, c: moved });
    expect(await own()).toEqual({ 'one#b': ['waiting', 0], 'one#c': ['waiting', -1] });
    expect(await outcomesOf(task)).toEqual({ a: delivered });
  });

  it('addOutcomes keeps existing outcomes if two concurrent runs add the outcomes of different subscriptions', async () => {
    const task = await recorded();
    await Promise.all([
      deliveries.addOutcomes(task, { b: moved, c: moved }, 1),
      deliveries.addOutcomes(task, { c: moved, d: moved, a: moved }, 1),
    ]);
    expect(await outcomesOf(task)).toEqual({ a: delivered, b: moved, c: moved, d: moved });
  });

  it('addOutcomes changes nothing if the row of the batch is full or has expired', async () => {
    const task = await recorded();
    await deliveries.addOutcomes(task, { b: moved }, 1500);
    await deliveries.addOutcomes(aBatchTask(), { b: moved }, 1);
    expect(await outcomesOf(task)).toEqual({ a: delivered });
    expect(await dynamodb.rowsOf(table)).toHaveLength(1);
  });
});
