export interface PersonIndex {
  readonly partition: string;
  readonly sort: string;
  /** A tag, such as the month, for an index added to existing persons. Searches use the index after it is filled. */
  readonly added?: string;
}

export type PersonIndexes = Readonly<Record<string, PersonIndex>>;

export const keyAttribute = (attribute: string, part: 'Key' | 'Sort'): string => `${attribute}${part}`;
