import { beforeEach, describe, expect, it } from 'vitest';
import { persons } from '../../../shared/storage/persons/store.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const ada = { firstName: 'Ada', lastName: 'Lovelace', gender: 2 };
const day = 24 * 3600;
const now = 1_700_000_000;
const uinHash = 'hash';
const record = { hash: 'h1', expiresAt: now + day };

let table: string;
let store: ReturnType<typeof persons.permissions.read> & ReturnType<typeof persons.permissions.mint>;
beforeEach(async () => {
  table = await dynamodb.createTable('persons');
  store = { ...persons.permissions.read(dynamodb.client, table), ...persons.permissions.mint(dynamodb.client, table) };
});

it('get omits attributes that the person does not have', async () => {
  await store.put('1', ada, { uinHash, now });
  expect(await store.get('1', ['status', 'lastName'])).toEqual({ uin: '1', lastName: 'Lovelace' });
  expect(await store.get('1', ['status'])).toEqual({ uin: '1' });
  expect(await store.get('1', [])).toEqual({ uin: '1' });
});

it('get reads attributes whose names are reserved words in DynamoDB', async () => {
  await store.put('1', { status: 'alive', 'extra.name-1 #x': 'y' }, { uinHash, now });
  expect(await store.get('1', ['status', 'extra.name-1 #x'])).toEqual({
    uin: '1',
    status: 'alive',
    'extra.name-1 #x': 'y',
  });
});

it('get returns no idempotency record for any UIN', async () => {
  await store.put('1', ada, { uinHash, now, record });
  for (const uin of ['h1', 'mint#h1', '#mint#h1', '../mint#h1']) {
    expect(await store.get(uin, ['firstName'])).toBeUndefined();
  }
});

describe('put', () => {
  it('never overwrites a person', async () => {
    await store.put('1', ada, { uinHash, now });
    for (const attributes of [{ firstName: 'Eve' }, ada])
      expect(await store.put('1', attributes, { uinHash, now })).toEqual({ is: 'taken' });
    expect(await store.get('1', ['firstName'])).toMatchObject({ firstName: 'Ada' });
  });

  it('put stores only one of several persons who are registered concurrently under the same UIN', async () => {
    const puts = Array.from({ length: 8 }, (_, index) =>
      store.put('1', { firstName: `Ada ${index}` }, { uinHash, now }),
    );
    const minted = (await Promise.all(puts)).filter(({ is }) => is === 'minted');
    expect(minted).toHaveLength(1);
  });
});

it('put stores the person and the idempotency record', async () => {
  expect(await store.put('1', ada, { uinHash, now, record })).toEqual({ is: 'minted' });
  expect(await store.get('1', ['lastName'])).toEqual({ uin: '1', lastName: 'Lovelace' });
  expect((await dynamodb.rowsOf(table)).find(({ id }) => id === 'mint#h1')).toMatchObject({
    uin: '1',
    expiresAt: record.expiresAt,
  });
});

it('put stores a new person after the idempotency record has expired, even if its row still exists', async () => {
  await store.put('1', ada, { uinHash, now, record });
  const later = { ...record, expiresAt: now + 2 * day };
  const replayed = { is: 'replayed', uin: '1' };
  expect(await store.put('2', ada, { uinHash, now: record.expiresAt - 1, record: later })).toEqual(replayed);
  expect(await store.put('2', ada, { uinHash, now: record.expiresAt, record: later })).toEqual({ is: 'minted' });
  expect(await store.put('3', ada, { uinHash, now: record.expiresAt, record: later })).toEqual({
    is: 'replayed',
    uin: '2',
  });
});

it('put returns "taken" and stores no idempotency record if the UIN is taken', async () => {
  await store.put('1', { firstName: 'Eve' }, { uinHash, now });
  expect(await store.put('1', ada, { uinHash, now, record })).toEqual({ is: 'taken' });
  expect(await store.put('2', ada, { uinHash, now, record })).toEqual({ is: 'minted' });
  expect(await store.get('1', ['firstName'])).toMatchObject({ firstName: 'Eve' });
});

it('put stores only one person for concurrent repetitions of a request', async () => {
  const repeats = Array.from({ length: 6 }, (_, index) => store.put(`${index}`, ada, { uinHash, now, record }));
  const results = await Promise.all(repeats);
  expect(results.filter(({ is }) => is === 'minted')).toHaveLength(1);
  const numbers = (await dynamodb.rowsOf(table)).filter(({ id }) => String(id).startsWith('person#'));
  expect(numbers).toHaveLength(1);
  for (const result of results) if (result.is === 'replayed') expect(result.uin).toBe(numbers[0]?.uin);
});
