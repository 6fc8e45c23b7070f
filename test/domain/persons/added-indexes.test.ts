import { describe, expect, it } from 'vitest';
import {
  addedIndexes,
  completeIndexes,
  keyChange,
  nextPass,
  resumeRun,
  startRun,
  unknownIndexes,
  withoutIndex,
} from '../../../shared/domain/persons/added-indexes.ts';
import { foldAttributes, indexKeys, planSearch } from '../../../shared/domain/persons/plan-search.ts';

const indexes = {
  byPlace: { partition: 'placeOfBirth', sort: 'lastName', added: '2' },
  byName: { partition: 'lastName', sort: 'firstName' },
};
const ada = { lastName: 'King', firstName: 'Ada', placeOfBirth: 'London' };
const minute = 60_000;

it.each([
  [[], 'byName'],
  [['byPlace@1'], 'byName'],
  [['byOther@2'], 'byName'],
  [['byPlace@2'], 'byPlace'],
])(
  'an added index is used as soon as its tag is complete: if %j are complete, a search uses the index %s',
  (whole, index) => {
    expect(planSearch(ada, completeIndexes(indexes, whole))).toMatchObject({ by: 'index', index });
  },
);

it('an added index is listed as a tag, which consists of the name and version of the index', () => {
  expect(addedIndexes(indexes)).toEqual(['byPlace@2']);
});

it('withdrawing an added index removes all its tags but does not affect other indexes', () => {
  expect(withoutIndex(['byPlace@1', 'byPlaceOfDeath@1', 'byPlace@2'], 'byPlace')).toEqual(['byPlaceOfDeath@1']);
});

const run = startRun('r', indexes, 0);

it("a run has unknown indexes if the release lacks any of the run's index tags", () => {
  expect(unknownIndexes(run, indexes)).toEqual([]);
  expect(unknownIndexes(run, { byOther: { ...indexes.byPlace, added: '1' }, ...indexes })).toEqual([]);
  expect(unknownIndexes(run, { ...indexes, byPlace: { ...indexes.byPlace, added: '3' } })).toEqual(['byPlace@2']);
});

it('a run needs a pass that begins at least 15 minutes after the last request', () => {
  const late = resumeRun({ ...run, pass: 2, passFrom: 15 * minute, after: 'person#1' }, 60 * minute);
  expect(late.after).toBe('person#1');
  expect(nextPass(late, 61 * minute)).toMatchObject({ pass: 3, passFrom: 75 * minute });
});

const folded = foldAttributes(ada);
const right = indexKeys(folded, Object.values(indexes));

it('correct index keys do not change, even if the person has additional keys', () => {
  expect(keyChange(folded, right, indexes)).toBeUndefined();
  expect(keyChange(folded, { ...right, genderKey: '2' }, indexes)).toBeUndefined();
});

it('missing and wrong index keys are set, and superfluous keys are removed', () => {
  const { placeOfBirthKey: _, ...missing } = right;
  expect(keyChange(folded, { ...missing, lastNameKey: 'byron' }, indexes)).toEqual({
    set: { placeOfBirthKey: 'LONDON', lastNameKey: 'KING' },
    remove: [],
  });
  const { placeOfBirth: __, ...elsewhere } = folded;
  expect(keyChange(elsewhere, right, indexes)).toEqual({ set: {}, remove: ['placeOfBirthKey', 'lastNameSort'] });
});

describe('the next pass of a run', () => {
  const run = startRun('r', indexes, 0);

  it.each([
    ['a first pass of one second', { changed: 9 }, 1000, 15 * minute],
    ['a first pass without changes', { changed: 0 }, 1000, 15 * minute],
    ['a first pass of two hours', { changed: 9 }, 120 * minute, 121 * minute],
    [
      'a pass that made no changes but began less than 15 minutes after the start of the run',
      { passFrom: 14 * minute },
      120 * minute,
      121 * minute,
    ],
    [
      'a pass that made changes and began 15 minutes after the start of the run',
      { passFrom: 15 * minute, changed: 1 },
      16 * minute,
      17 * minute,
    ],
  ])('follows %s', (_, pass, now, passFrom) => {
    const next = nextPass({ ...run, ...pass, after: 'person#1', read: 9 }, now);
    expect(next).toEqual({ ...run, pass: 2, passFrom, read: 0, changed: 0 });
  });

  it('the last pass begins at least 15 minutes after the start of the run and makes no changes', () => {
    expect(nextPass({ ...run, passFrom: 15 * minute }, 16 * minute)).toBeUndefined();
  });
});
