import { beforeEach, expect, it } from 'vitest';
import { noCounts } from '../../../shared/domain/imports/import-state.ts';
import { imports } from '../../../shared/storage/imports/store.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
let store: ReturnType<typeof imports.permissions.run>;
const progress = { offset: 0, number: 1, counts: noCounts, parts: 0, movedAt: 0, step: 0 };
const file = { key: 'imports/people.ndjson', eTag: 'tag', bytes: 100 };
const state = { sha256: 'hash', importId: 'import', file, begunAt: 0, ...progress };

beforeEach(async () => {
  store = imports.permissions.run(dynamodb.client, await dynamodb.createTable('persons'));
  await store.begin(state, 0);
  await store.acquire(state, { id: 'run', leaseUntil: 1000 }, 0);
});

it('a late repeated write of the check progress does not make an import skip lines', async () => {
  const checked = { ...progress, offset: 100, step: 1 };
  const begun = { ...progress, checkedAt: 1, step: 2 };
  expect(await store.advance('hash', 'run', checked)).toBe(true);
  expect(await store.advance('hash', 'run', begun)).toBe(true);
  expect(await store.advance('hash', 'run', checked)).toBe(false);
  expect(await store.get('hash', 0)).toMatchObject(begun);
});

it('a run can store the progress of an import again if the response was lost, but another run cannot', async () => {
  const next = { ...progress, offset: 50, step: 1 };
  expect(await store.advance('hash', 'run', next)).toBe(true);
  expect(await store.advance('hash', 'run', next)).toBe(true);
  expect(await store.advance('hash', 'another run', { ...next, step: 2 })).toBe(false);
});

it('an import begins again only after the record of the earlier import has expired', async () => {
  const ended = { ...state, sha256: 'other', endedAt: 1, expiresAt: 90 };
  const begin = async (importId: string, now: number) => (await store.begin({ ...ended, importId }, now)).importId;
  const ids = [await begin('one', 0), await begin('two', 89_999), await begin('new', 90_000)];
  expect(ids).toEqual(['one', 'one', 'new']);
});
