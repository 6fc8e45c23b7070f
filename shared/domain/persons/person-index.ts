export interface PersonIndex {
  readonly partition: string;
  readonly sort: string;
  /**
   * A tag, such as a month, that distinguishes a new index from an earlier index with the same name. Searches use the
   * new index as soon as the index contains every person.
   */
  readonly added?: string;
}

export type PersonIndexes = Readonly<Record<string, PersonIndex>>;

export const keyAttribute = (attribute: string, part: 'Key' | 'Sort'): string => `${attribute}${part}`;
