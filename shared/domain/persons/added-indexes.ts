import type { Reindexing } from './index-state.ts';
import { keyAttribute, type PersonIndexes } from './person-index.ts';
import { type FoldedAttributes, indexKeys } from './plan-search.ts';

/** The indexes that were added to persons who were there already, by `name@tag`. */
export const addedIndexes = (indexes: PersonIndexes): string[] =>
  Object.entries(indexes).flatMap(([name, { added }]) => (added === undefined ? [] : [`${name}@${added}`]));

/** The indexes that may be searched: those that hold everybody. */
export const wholeIndexes = (indexes: PersonIndexes, whole: readonly string[]): PersonIndexes =>
  Object.fromEntries(
    Object.entries(indexes).filter(([name, { added }]) => added === undefined || whole.includes(`${name}@${added}`)),
  );

/** Whether `name@tag` is of the index of this name. */
export const isOf = (one: string, index: string): boolean => one.startsWith(`${index}@`);

/** Without an index, under whichever tag. */
export const withoutIndex = (whole: readonly string[], index: string): string[] =>
  whole.filter((one) => !isOf(one, index));

/** The attributes that are keys of the indexes. */
export const keyNames = (indexes: PersonIndexes): string[] => [
  ...new Set(
    Object.values(indexes).flatMap(({ partition, sort }) => [
      keyAttribute(partition, 'Key'),
      keyAttribute(sort, 'Sort'),
    ]),
  ),
];

export interface KeyChange {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

/**
 * What must be changed of a person's keys; undefined where all are right. Keys of indexes that are not in the list stay: nothing
 * reads them.
 * @param stored the keys that the person has
 */
export function keyChange(
  folded: FoldedAttributes,
  stored: Readonly<Record<string, string>>,
  indexes: PersonIndexes,
): KeyChange | undefined {
  const wanted = indexKeys(folded, Object.values(indexes));
  const set = Object.fromEntries(Object.entries(wanted).filter(([name, key]) => stored[name] !== key));
  const remove = keyNames(indexes).filter((name) => Object.hasOwn(stored, name) && !Object.hasOwn(wanted, name));
  return Object.keys(set).length + remove.length === 0 ? undefined : { set, remove };
}

/** Lambda lets no copy of a function run longer: of what was deployed before, none writes any more. */
const oldCopiesMs = 15 * 60_000;

/** For what a pass has written to reach the indexes. */
const betweenPassesMs = 60_000;

/** A run at the beginning of its first pass. */
export const beginRun = (id: string, indexes: PersonIndexes, now: number): Reindexing => ({
  ...{ id, begunAt: now, indexes: addedIndexes(indexes) },
  ...{ pass: 1, passFrom: now, read: 0, changed: 0 },
});

/**
 * A run that is asked for again: from where it is, and as if it had begun now, for what has been deployed since it did nobody
 * knows.
 */
export const goOn = (run: Reindexing, now: number): Reindexing => ({ ...run, begunAt: now });

/** The indexes of a run that this list does not have, by `name@tag`. */
export const unknownIndexes = (run: Reindexing, indexes: PersonIndexes): string[] => {
  const ours = addedIndexes(indexes);
  return run.indexes.filter((index) => !ours.includes(index));
};

/**
 * The pass after one that has ended; undefined where there need be none: it changed nothing, and began when no older copy of a
 * function wrote any more.
 */
export function nextPass({ after: _, ...run }: Reindexing, now: number): Reindexing | undefined {
  const quietFrom = run.begunAt + oldCopiesMs;
  if (run.changed === 0 && run.passFrom >= quietFrom) return undefined;
  const passFrom = Math.max(now + betweenPassesMs, quietFrom);
  return { ...run, pass: run.pass + 1, passFrom, read: 0, changed: 0 };
}
