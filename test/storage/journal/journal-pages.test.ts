import { describe, expect, test } from 'vitest';
import { inParts } from '../../../shared/domain/in-parts.ts';
import { shards } from '../../../shared/domain/journal/journal-keys.ts';
import type { JournalDetails, JournalPage } from '../../../shared/domain/journal/journal-row.ts';
import { journalHours } from '../../../shared/storage/journal/journal-hours.ts';
import { journal } from '../../../shared/storage/journal/store.ts';
import { useTables } from '../../harness/tables.ts';

const inTables = useTables(['journal']);
const start = Date.parse('2026-11-20T23:59:00Z');
const minute = 60_000;

function open() {
  const [client, table] = [inTables.dynamodb.client, inTables.tables.journal];
  const { write, writeMany, read } = journal.permissions;
  return { ...write(client, table), ...writeMany(client, table), ...read(client, table) };
}

/** Returns a journal entry with the given rows, written the given number of minutes after the start. */
const entry = (minutes: number, caller: string, ...about: JournalDetails[]) => ({
  rows: about.map((one) => ({ operation: 'findPersons', requestId: `${caller}-${minutes}`, caller, ...one })),
  id: `${caller}-${minutes}`,
  at: start + minutes * minute,
  days: 1,
});

async function all(page: (after: string) => Promise<JournalPage>, from = '2026'): Promise<JournalPage['rows'][]> {
  const pages: JournalPage['rows'][] = [];
  for (let after: string | undefined = from; after !== undefined; ) {
    const { rows, next }: JournalPage = await page(after);
    pages.push(rows);
    after = next;
  }
  return pages;
}

describe('journal pages', () => {
  const count = 900;

  test('journal pages contain each row of a person or a caller once, in chronological order, across all shards', async () => {
    const { putMany, ofPerson, ofCaller } = open();
    const about = ['busy', 'other-1', 'other-2'].map((uin) => ({ uin }));
    const entries = Array.from({ length: count / 3 }, (_, index) => [
      entry(index * 3, 'registrar', ...about),
      entry(index * 3, 'police', { by: ['lastName'] }),
    ]);
    for (const some of inParts(entries.flat(), 40)) await Promise.all(some.map(putMany));
    const ofBusy = await all((after) => ofPerson(['busy'], after));
    expect(ofBusy.flat().map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: count / 3 }, (_, index) => `registrar-${index * 3}`),
    );
    const ofRegistrar = await all((after) => ofCaller('registrar', after));
    expect(ofRegistrar.length).toBeGreaterThan(1);
    expect(ofRegistrar.flat().map(({ requestId, uin }) => `${requestId} ${uin}`)).toEqual(
      Array.from({ length: count / 3 }, (_, index) =>
        ['busy', 'other-1', 'other-2'].map((uin) => `registrar-${index * 3} ${uin}`),
      ).flat(),
    );
    const ofPolice = (await all((after) => ofCaller('police', after))).flat();
    expect(ofPolice).toHaveLength(count / 3);
    expect(ofPolice[0]).not.toHaveProperty('uin');
  });

  test('journal pages begin at the requested time', async () => {
    const { ofPerson, ofCaller } = open();
    const since = new Date(start + 600 * minute).toISOString();
    const rows = (await all((after) => ofPerson(['busy'], after), since)).flat();
    expect(rows[0]?.at).toBe(since);
    expect(rows).toHaveLength(100);
    const [first] = (await all((after) => ofCaller('police', after), since)).flat();
    expect(first?.at).toBe(since);
  });

  test('journal pages are empty for a person without rows', async () => {
    expect(await open().ofPerson(['no person'], '2026')).toEqual({ rows: [], next: undefined });
    expect(await open().ofCaller('no person', '2026')).toEqual({ rows: [], next: undefined });
  });

  test('journal pages need one query per shard, regardless of the number of days in the journal', async () => {
    const { dynamodb, tables } = inTables;
    let calls = 0;
    const send = (...args: Parameters<typeof dynamodb.client.send>) => {
      calls++;
      return dynamodb.client.send(...args);
    };
    const client = { send } as typeof dynamodb.client;
    await journal.permissions.read(client, tables.journal).ofCaller('no person', '2025');
    expect(calls).toBe(shards.length);
  });
});

test('writing a journal row never overwrites an existing row', async () => {
  const { put, ofPerson } = open();
  await put(entry(1, 'same', { uin: 'same', names: ['firstName'] }));
  await put(entry(1, 'same', { uin: 'same', names: ['status'] }));
  expect((await ofPerson(['same'], '2026')).rows).toMatchObject([{ names: ['firstName'] }]);
});

test('the rows of an hour are those that were written in this hour, in all shards', async () => {
  const { putMany } = open();
  for (const minutes of [0, 1, 60, 61]) await putMany(entry(minutes, 'archive', { uin: `${minutes}` }));
  const { ofShard } = journalHours.permissions.read(inTables.dynamodb.client, inTables.tables.journal);
  const pages = shards.map((shard) =>
    Array.fromAsync(ofShard('2026-11-21T00', shard, (error) => expect.unreachable(String(error)))),
  );
  const rows = (await Promise.all(pages)).flat().flatMap((page) => page.rows);
  const uins = rows.flatMap(({ caller, uin }) => (caller === 'archive' ? uin : []));
  expect(uins.toSorted()).toEqual(['1', '60']);
});
