/** An index over persons: the attribute of its partition, and the one it is sorted by. */
export interface PersonIndex {
  readonly partition: string;
  readonly sort: string;
}

/** The name of the row's key attribute for an attribute, as the partition or the sort key of an index. */
export const keyAttribute = (attribute: string, part: 'Key' | 'Sort'): string => `${attribute}${part}`;
