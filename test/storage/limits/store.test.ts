import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../shared/storage/limits/store.ts';
import { noon } from '../../harness/builders.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingResponses } from '../../harness/lost-responses.ts';

const dynamodb = useDynamodb();
let table: string;
let store: ReturnType<typeof limits.permissions.enforce>;
beforeEach(async () => {
  table = await dynamodb.createTable('limits');
  store = limits.permissions.enforce(dynamodb.client, table);
});

const until = noon + 60_000;
const take = (holder: string, max = 5, end = until, now = noon) =>
  store.acquireSlot({ id: 'host', holder, max, until: end }, now);
const holders = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());

describe('slots of a limit', () => {
  it('at most `max` slots can be acquired, regardless of the number of callers', async () => {
    const results = await Promise.all(holders(40).map((holder) => take(holder)));
    expect(results.filter((one) => 'id' in one)).toHaveLength(5);
    expect(new Set(results.flatMap((one) => ('id' in one ? one.slot : [])))).toEqual(
      new Set(['0', '1', '2', '3', '4']),
    );
    for (const one of results) if (!('id' in one)) expect(one.freeAt).toBe(until);
    expect(await take('late')).toEqual({ freeAt: until });
    expect(await store.acquireSlot({ id: 'other host', holder: 'late', max: 1, until }, noon)).toHaveProperty('slot');
  });

  it('acquireSlot returns the time at which a slot becomes free, even if more slots than `max` are in use', async () => {
    for (const [index, holder] of holders(4).entries()) await take(holder, 5, until + index);
    expect(await take('late', 4)).toEqual({ freeAt: until });
    expect(await take('late', 2)).toEqual({ freeAt: until + 2 });
  });

  it('a slot can be acquired after it expires, even if its row still exists', async () => {
    for (const holder of holders(5)) await take(holder);
    expect(await take('late', 5, until, until - 1)).toEqual({ freeAt: until });
    expect(await take('late', 5, until + 1, until)).toHaveProperty('slot');
  });

  it('only the holder of a slot can release the slot', async () => {
    const slot = await take('holder', 1);
    if (!('id' in slot)) throw new Error('none was free');
    await store.releaseSlot({ ...slot, holder: 'stranger' });
    expect(await take('late', 1)).toEqual({ freeAt: until });
    await store.releaseSlot(slot);
    const next = await take('late', 1);
    expect(next).toHaveProperty('slot');
    await store.releaseSlot(slot);
    expect(await take('later', 1)).toEqual({ freeAt: until });
  });

  it('a slot is acquired once, even if the response to the write is lost', async () => {
    const { client, lost } = losingResponses(dynamodb.client, 'PutItemCommand');
    const slot = await limits.permissions
      .enforce(client, table)
      .acquireSlot({ id: 'a', holder: 'me', max: 1, until }, noon);
    expect(slot).toHaveProperty('holder', 'me');
    expect(lost()).toBe(1);
  });
});

it('countInHour allows `max` calls per clock hour, and returns the start of the next hour for further calls', async () => {
  const counting = Array.from({ length: 30 }, () => store.countInHour('caller', 12, noon + 5));
  const results = await Promise.all(counting);
  expect(results.filter((one) => one === undefined)).toHaveLength(12);
  expect(results.filter((one) => one?.freeAt === noon + 3_600_000)).toHaveLength(18);
  expect(await store.countInHour('caller', 12, noon + 3_599_999)).toBeDefined();
  expect(await store.countInHour('caller', 12, noon + 3_600_000)).toBeUndefined();
  expect(await store.countInHour('other caller', 12, noon)).toBeUndefined();
});

it('a mailbox declines requests until an operator allows them again', async () => {
  const owner = limits.permissions.declineRequests(dynamodb.client, table);
  const operator = limits.permissions.allowRequests(dynamodb.client, table);
  const asking = limits.permissions.readDeclined(dynamodb.client, table);
  expect(await asking.declinesRequests('mailbox')).toBe(false);
  for (const _ of [1, 2]) await owner.declineRequests('mailbox');
  expect([await asking.declinesRequests('mailbox'), await store.declinesRequests('other')]).toEqual([true, false]);
  expect(await dynamodb.rowsOf(table)).toEqual([{ id: 'mailbox', slot: 'never' }]);
  expect([await operator.allowRequests('mailbox'), await operator.allowRequests('mailbox')]).toEqual([true, false]);
  expect(await store.declinesRequests('mailbox')).toBe(false);
});

it('every row of a limit expires', async () => {
  await take('holder');
  await store.countInHour('caller', 1, noon);
  for (const { expiresAt } of await dynamodb.rowsOf(table)) expect(Number(expiresAt)).toBeLessThan(noon / 1000 + 7200);
});
