import { expect, it } from 'vitest';
import { indexing } from '../../../shared/storage/persons/indexing.ts';
import { personRow } from '../../../shared/storage/persons/rows.ts';
import { after, useAddedIndex } from '../../harness/registry-with.ts';
import { releaseWith } from '../../harness/release-with.ts';

const minute = 60_000;
const { clock, harness, takeIndexAway } = useAddedIndex(100);
const ada = { lastName: 'King', firstName: 'Ada', placeOfBirth: 'London' };
const query = 'placeOfBirth=London&lastName=King';

it('a search skips a missing index that is marked as complete, and tries to use the index again after a minute', async () => {
  const { reported, find } = releaseWith(after, async () => {});
  await harness.put('persons', personRow('1', ada, after));
  const state = indexing.permissions.change(harness.dynamodb.client, harness.tables.persons);
  expect(await state.putIndexState({ version: 'm', complete: ['byPlace@1'] }, undefined)).toBe(true);
  const queried: unknown[] = [];
  harness.interfere({
    call({ command, input }, go) {
      if (command === 'Query') queried.push(input.IndexName);
      return go();
    },
  });
  const found = { status: 200, json: ['1'] };
  expect(await harness.call(find, { query })).toMatchObject(found);
  expect(queried.splice(0)).toEqual(['byPlace']);

  await takeIndexAway();
  expect(await harness.call(find, { query })).toMatchObject(found);
  expect(await harness.call(find, { query })).toMatchObject(found);
  expect(queried.splice(0)).toEqual(['byPlace', 'byName', 'byName']);
  clock.pass(minute);
  expect(await harness.call(find, { query })).toMatchObject(found);
  expect(queried).toEqual(['byPlace', 'byName']);
  expect(reported.passedOver).toEqual(['byPlace', 'byPlace']);
});

it.each(['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'])(
  'a search returns 500 if DynamoDB returns the error %s for a standard index',
  async (name) => {
    const { reported, find } = releaseWith(after, async () => {});
    harness.interfere({
      call: async ({ command }, go) => {
        if (command === 'Query') throw Object.assign(new Error('gone'), { name });
        return go();
      },
    });
    expect(await harness.call(find, { query })).toMatchObject({ status: 500 });
    expect(reported.passedOver).toEqual([]);
    harness.lines.error.length = 0;
  },
);
