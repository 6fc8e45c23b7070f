export interface PersonIndex {
  readonly partition: string;
  readonly sort: string;
  /** A tag, such as the month, for an index that was added later. Searches use the index once it contains every person. */
  readonly added?: string;
}

export type PersonIndexes = Readonly<Record<string, PersonIndex>>;

export const keyAttribute = (attribute: string, part: 'Key' | 'Sort'): string => `${attribute}${part}`;
