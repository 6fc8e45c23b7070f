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

describe('an added index', () => {
  it.each([
    [[], 'byName'],
    [['byPlace@1'], 'byName'],
    [['byOther@2'], 'byName'],
    [['byPlace@2'], 'byPlace'],
  ])('is searched once it is complete, identified by its tag: of %j, %s', (whole, index) => {
    expect(planSearch(ada, completeIndexes(indexes, whole))).toMatchObject({ by: 'index', index });
  });

  it('is an index with a tag', () => {
    expect(addedIndexes(indexes)).toEqual(['byPlace@2']);
  });

  it('is withdrawn with all its tags, and no other index is', () => {
    expect(withoutIndex(['byPlace@1', 'byPlaceOfDeath@1', 'byPlace@2'], 'byPlace')).toEqual(['byPlaceOfDeath@1']);
  });
});

describe('a run', () => {
  const run = startRun('r', indexes, 0);

  it('is known if it belongs to the release', () => {
    expect(unknownIndexes(run, indexes)).toEqual([]);
    expect(unknownIndexes(run, { byOther: { ...indexes.byPlace, added: '1' }, ...indexes })).toEqual([]);
    expect(unknownIndexes(run, { ...indexes, byPlace: { ...indexes.byPlace, added: '3' } })).toEqual(['byPlace@2']);
  });

  it('needs a pass that begins 15 minutes after the run was requested again', () => {
    const late = resumeRun({ ...run, pass: 2, passFrom: 15 * minute, after: 'person#1' }, 60 * minute);
    expect(late.after).toBe('person#1');
    expect(nextPass(late, 61 * minute)).toMatchObject({ pass: 3, passFrom: 75 * minute });
  });
});

describe('the keys of a person', () => {
  const folded = foldAttributes(ada);
  const right = indexKeys(folded, Object.values(indexes));

  it('do not change if they are correct, whatever other keys exist', () => {
    expect(keyChange(folded, right, indexes)).toBeUndefined();
    expect(keyChange(folded, { ...right, genderKey: '2' }, indexes)).toBeUndefined();
  });

  it('are set if missing or wrong, and removed if not needed', () => {
    const { placeOfBirthKey: _, ...missing } = right;
    expect(keyChange(folded, { ...missing, lastNameKey: 'byron' }, indexes)).toEqual({
      set: { placeOfBirthKey: 'LONDON', lastNameKey: 'KING' },
      remove: [],
    });
    const { placeOfBirth: __, ...elsewhere } = folded;
    expect(keyChange(elsewhere, right, indexes)).toEqual({ set: {}, remove: ['placeOfBirthKey', 'lastNameSort'] });
  });
});

describe('the next pass', () => {
  const run = startRun('r', indexes, 0);

  it.each([
    ['after a first pass of a second', { changed: 9 }, 1000, 15 * minute],
    ['after a first pass without changes', { changed: 0 }, 1000, 15 * minute],
    ['after a first pass of hours', { changed: 9 }, 120 * minute, 121 * minute],
    ['after a pass that began too early, without changes', { passFrom: 14 * minute }, 120 * minute, 121 * minute],
    ['after a late pass with changes', { passFrom: 15 * minute, changed: 1 }, 16 * minute, 17 * minute],
  ])('follows %s', (_, pass, now, passFrom) => {
    const next = nextPass({ ...run, ...pass, after: 'person#1', read: 9 }, now);
    expect(next).toEqual({ ...run, pass: 2, passFrom, read: 0, changed: 0 });
  });

  it('is not needed after a pass without changes that began 15 minutes after the run', () => {
    expect(nextPass({ ...run, passFrom: 15 * minute }, 16 * minute)).toBeUndefined();
  });
});
