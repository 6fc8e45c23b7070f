import type { Reindexing } from './index-state.ts';
import { keyAttribute, type PersonIndexes } from './person-index.ts';
import { type FoldedAttributes, indexKeys } from './plan-search.ts';

/** Returns the indexes that were added after the first persons were registered, as `name@tag`. */
export const addedIndexes = (indexes: PersonIndexes): string[] =>
  Object.entries(indexes).flatMap(([name, { added }]) => (added === undefined ? [] : [`${name}@${added}`]));

/** Returns the indexes that contain every person and may be searched. */
export const completeIndexes = (indexes: PersonIndexes, complete: readonly string[]): PersonIndexes =>
  Object.fromEntries(
    Object.entries(indexes).filter(([name, { added }]) => added === undefined || complete.includes(`${name}@${added}`)),
  );

export const isTagOf = (one: string, index: string): boolean => one.startsWith(`${index}@`);

/** Removes all entries of an index from the list, regardless of their tags. */
export const withoutIndex = (complete: readonly string[], index: string): string[] =>
  complete.filter((one) => !isTagOf(one, index));

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
 * Returns the changes to a person's index keys; undefined if no change is needed. Keys of removed indexes are ignored.
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

/** The maximum duration of an invocation. After this time, functions of earlier releases can no longer write. */
const oldCopiesMs = 15 * 60_000;

const betweenPassesMs = 60_000;

export const startRun = (id: string, indexes: PersonIndexes, now: number): Reindexing => ({
  ...{ id, begunAt: now, indexes: addedIndexes(indexes) },
  ...{ pass: 1, passFrom: now, read: 0, changed: 0 },
});

/** Resumes a run with a new start time, because a release may have been deployed since the run started. */
export const resumeRun = (run: Reindexing, now: number): Reindexing => ({ ...run, begunAt: now });

/** Returns those indexes of a reindexing run that do not exist in this release, as `name@tag`. */
export const unknownIndexes = (run: Reindexing, indexes: PersonIndexes): string[] => {
  const ours = addedIndexes(indexes);
  return run.indexes.filter((index) => !ours.includes(index));
};

/**
 * Returns the next pass of a reindexing run. Returns undefined if the previous pass changed nothing and began after all
 * functions of earlier releases had stopped.
 */
export function nextPass({ after: _, ...run }: Reindexing, now: number): Reindexing | undefined {
  const quietFrom = run.begunAt + oldCopiesMs;
  if (run.changed === 0 && run.passFrom >= quietFrom) return undefined;
  const passFrom = Math.max(now + betweenPassesMs, quietFrom);
  return { ...run, pass: run.pass + 1, passFrom, read: 0, changed: 0 };
}
