import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../shared/storage/limits/limits.ts';
import { noon } from '../../harness/builders.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingAnswers } from '../../harness/lost-responses.ts';

const dynamodb = useDynamodb();
let table: string;
let store: ReturnType<typeof limits.permissions.take>;
beforeEach(async () => {
  table = await dynamodb.createTable('limits');
  store = limits.permissions.take(dynamodb.client, table);
});

const until = noon + 60_000;
const take = (holder: string, most = 5, end = until, now = noon) =>
  store.takeSlot({ id: 'host', holder, most, until: end }, now);
const holders = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());

describe('slots', () => {
  it('are held by no more than there are, however many ask at once', async () => {
    const answers = await Promise.all(holders(40).map((holder) => take(holder)));
    expect(answers.filter((one) => 'id' in one)).toHaveLength(5);
    expect(new Set(answers.flatMap((one) => ('id' in one ? one.slot : [])))).toEqual(
      new Set(['0', '1', '2', '3', '4']),
    );
    for (const one of answers) if (!('id' in one)) expect(one.freeAt).toBe(until);
    expect(await take('late')).toEqual({ freeAt: until });
    expect(await store.takeSlot({ id: 'other host', holder: 'late', most: 1, until }, noon)).toHaveProperty('slot');
  });

  it('say when the next one is free, though there are more than there may be now', async () => {
    for (const [index, holder] of holders(4).entries()) await take(holder, 5, until + index);
    expect(await take('late', 4)).toEqual({ freeAt: until });
    expect(await take('late', 2)).toEqual({ freeAt: until + 2 });
  });

  it('are free again at their end, though their rows are still there', async () => {
    for (const holder of holders(5)) await take(holder);
    expect(await take('late', 5, until, until - 1)).toEqual({ freeAt: until });
    expect(await take('late', 5, until + 1, until)).toHaveProperty('slot');
  });

  it('are given back by their holder alone', async () => {
    const slot = await take('holder', 1);
    if (!('id' in slot)) throw new Error('none was free');
    await store.free({ ...slot, holder: 'stranger' });
    expect(await take('late', 1)).toEqual({ freeAt: until });
    await store.free(slot);
    const next = await take('late', 1);
    expect(next).toHaveProperty('slot');
    await store.free(slot);
    expect(await take('later', 1)).toEqual({ freeAt: until });
  });

  it('are taken once, though the answer to the write was lost', async () => {
    const { client, lost } = losingAnswers(dynamodb.client, 'PutItemCommand');
    const slot = await limits.permissions.take(client, table).takeSlot({ id: 'a', holder: 'me', most: 1, until }, noon);
    expect(slot).toHaveProperty('holder', 'me');
    expect(lost()).toBe(1);
  });
});

describe('a counter', () => {
  it('counts as many as there may be in a clock hour, however many come at once, and says when the next begins', async () => {
    const counting = Array.from({ length: 30 }, () => store.countInHour('caller', 12, noon + 5));
    const answers = await Promise.all(counting);
    expect(answers.filter((one) => one === undefined)).toHaveLength(12);
    expect(answers.filter((one) => one?.freeAt === noon + 3_600_000)).toHaveLength(18);
    expect(await store.countInHour('caller', 12, noon + 3_599_999)).toBeDefined();
    expect(await store.countInHour('caller', 12, noon + 3_600_000)).toBeUndefined();
    expect(await store.countInHour('other caller', 12, noon)).toBeUndefined();
  });
});

it('a mailbox is declined for good, until it is allowed again', async () => {
  const owner = limits.permissions.decline(dynamodb.client, table);
  const operator = limits.permissions.allow(dynamodb.client, table);
  const asking = limits.permissions.ask(dynamodb.client, table);
  expect(await asking.isDeclined('mailbox')).toBe(false);
  for (const _ of [1, 2]) await owner.decline('mailbox');
  expect([await asking.isDeclined('mailbox'), await store.isDeclined('other')]).toEqual([true, false]);
  expect(await dynamodb.rowsOf(table)).toEqual([{ id: 'mailbox', slot: 'never' }]);
  expect([await operator.allow('mailbox'), await operator.allow('mailbox')]).toEqual([true, false]);
  expect(await store.isDeclined('mailbox')).toBe(false);
});

it('every row goes by itself', async () => {
  await take('holder');
  await store.countInHour('caller', 1, noon);
  for (const { expiresAt } of await dynamodb.rowsOf(table)) expect(Number(expiresAt)).toBeLessThan(noon / 1000 + 7200);
});
