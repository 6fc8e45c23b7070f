import { expect, test } from 'vitest';
import { chainParts, nameOfPart, shardAfter } from '../../../shared/domain/journal/exported-hours.ts';

const part = (first: number, last: number, ...details: string[]) => ({ first, last, details });
const nameOf = (first: number, last: number, ...details: string[]) =>
  `${nameOfPart('2026-11-22T05', part(first, last, ...details))}.ndjson.gz`;

const partsOf = (names: readonly string[]) => chainParts(names, /^(\d+-)?[a-z][a-z\d]*\.ndjson\.gz$/);

test('nameOfPart includes the hour, the shards and the details of a part', () => {
  expect(nameOf(0, 17, '120', 'ab12')).toBe('2026/11/22/05-00-17-120-ab12.ndjson.gz');
  expect(partsOf([nameOf(0, 17, '120', 'ab12')])).toEqual([part(0, 17, '120', 'ab12')]);
});

test('chainParts returns consecutive parts starting at the first shard, regardless of the order of the files', () => {
  const names = [nameOf(9, 11, 'c'), nameOf(4, 8, 'b'), nameOf(0, 3, 'a')];
  expect(partsOf(names)).toEqual([part(0, 3, 'a'), part(4, 8, 'b'), part(9, 11, 'c')]);
  expect(shardAfter(partsOf(names))).toBe(12);
  expect(partsOf([nameOf(4, 8, 'b')])).toEqual([]);
  expect(partsOf([nameOf(0, 3, 'a'), nameOf(9, 11, 'c')])).toEqual([part(0, 3, 'a')]);
  expect(shardAfter([])).toBe(0);
});

test('chainParts returns the longer of two parts that have the same first shard', () => {
  const twice = [nameOf(0, 3, 'a'), nameOf(0, 3, 'b'), nameOf(0, 5, 'c'), nameOf(4, 9, 'd'), nameOf(6, 7, 'e')];
  expect(partsOf(twice)).toEqual([part(0, 5, 'c'), part(6, 7, 'e')]);
});

test('chainParts ignores files that are not parts', () => {
  const strange = ['2026/11/22/05-notes.txt', '2026/11/22/05-', '2026/11/22/05-00-63-copy of a.ndjson.gz'];
  expect(partsOf([...strange, nameOf(0, 3, 'a')])).toEqual([part(0, 3, 'a')]);
  expect(partsOf([nameOf(0, 64, 'a'), nameOf(3, 0, 'a'), nameOf(0, 3, 'a')])).toEqual([part(0, 3, 'a')]);
});
