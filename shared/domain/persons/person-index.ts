/** An index over persons: the attribute of its partition, and the one it is sorted by. */
export interface PersonIndex {
  readonly partition: string;
  readonly sort: string;
  /** Of an index that came to persons who were there already: by any tag, such as the month. It is searched once it is filled. */
  readonly added?: string;
}

export type PersonIndexes = Readonly<Record<string, PersonIndex>>;

/** The name of the row's key attribute for an attribute, as the partition or the sort key of an index. */
export const keyAttribute = (attribute: string, part: 'Key' | 'Sort'): string => `${attribute}${part}`;
