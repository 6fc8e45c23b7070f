import { describe, expect, it } from 'vitest';
import {
  addedIndexes,
  beginRun,
  goOn,
  keyChange,
  nextPass,
  unknownIndexes,
  wholeIndexes,
  withoutIndex,
} from '../../../shared/domain/persons/added-indexes.ts';
import { foldAttributes, indexKeys, planSearch } from '../../../shared/domain/persons/plan-search.ts';

const indexes = {
  byPlace: { partition: 'placeOfBirth', sort: 'lastName', added: '2' },
  byName: { partition: 'lastName', sort: 'firstName' },
};
const ada = { lastName: 'King', firstName: 'Ada', placeOfBirth: 'London' };
const minute = 60_000;

describe('an index that was added', () => {
  it.each([
    [[], 'byName'],
    [['byPlace@1'], 'byName'],
    [['byOther@2'], 'byName'],
    [['byPlace@2'], 'byPlace'],
  ])('is searched once it is whole, by its own tag: of %j, %s', (whole, index) => {
    expect(planSearch(ada, wholeIndexes(indexes, whole))).toMatchObject({ by: 'index', index });
  });

  it('is one that has a tag', () => {
    expect(addedIndexes(indexes)).toEqual(['byPlace@2']);
  });

  it('is withdrawn under every tag, and no other', () => {
    expect(withoutIndex(['byPlace@1', 'byPlaceOfDeath@1', 'byPlace@2'], 'byPlace')).toEqual(['byPlaceOfDeath@1']);
  });
});

describe('a run', () => {
  const run = beginRun('r', indexes, 0);

  it('knows the indexes of its release, and not those of another', () => {
    expect(unknownIndexes(run, indexes)).toEqual([]);
    expect(unknownIndexes(run, { byOther: { ...indexes.byPlace, added: '1' }, ...indexes })).toEqual([]);
    expect(unknownIndexes(run, { ...indexes, byPlace: { ...indexes.byPlace, added: '3' } })).toEqual(['byPlace@2']);
  });

  it('that is asked for again needs a pass that begins a quarter of an hour after that', () => {
    const late = goOn({ ...run, pass: 2, passFrom: 15 * minute, after: 'person#1' }, 60 * minute);
    expect(late.after).toBe('person#1');
    expect(nextPass(late, 61 * minute)).toMatchObject({ pass: 3, passFrom: 75 * minute });
  });
});

describe('the keys of a person', () => {
  const folded = foldAttributes(ada);
  const right = indexKeys(folded, Object.values(indexes));

  it('that are right are not changed, whatever other keys there are', () => {
    expect(keyChange(folded, right, indexes)).toBeUndefined();
    expect(keyChange(folded, { ...right, genderKey: '2' }, indexes)).toBeUndefined();
  });

  it('are set where they are missing or others, and removed where there should be none', () => {
    const { placeOfBirthKey: _, ...missing } = right;
    expect(keyChange(folded, { ...missing, lastNameKey: 'byron' }, indexes)).toEqual({
      set: { placeOfBirthKey: 'LONDON', lastNameKey: 'KING' },
      remove: [],
    });
    const { placeOfBirth: __, ...elsewhere } = folded;
    expect(keyChange(elsewhere, right, indexes)).toEqual({ set: {}, remove: ['placeOfBirthKey', 'lastNameSort'] });
  });
});

describe('the pass after one', () => {
  const run = beginRun('r', indexes, 0);

  it.each([
    ['a first one that took a second', { changed: 9 }, 1000, 15 * minute],
    ['a first one that changed nothing', { changed: 0 }, 1000, 15 * minute],
    ['a first one that took hours', { changed: 9 }, 120 * minute, 121 * minute],
    ['one that began too early, and changed nothing', { passFrom: 14 * minute }, 120 * minute, 121 * minute],
    ['a late one that changed something', { passFrom: 15 * minute, changed: 1 }, 16 * minute, 17 * minute],
  ])('follows %s', (_, pass, now, passFrom) => {
    const next = nextPass({ ...run, ...pass, after: 'person#1', read: 9 }, now);
    expect(next).toEqual({ ...run, pass: 2, passFrom, read: 0, changed: 0 });
  });

  it('is none where one that began a quarter of an hour after the run changed nothing', () => {
    expect(nextPass({ ...run, passFrom: 15 * minute }, 16 * minute)).toBeUndefined();
  });
});
