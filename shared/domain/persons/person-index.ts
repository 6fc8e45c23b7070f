export interface PersonIndex {
  readonly partition: string;
  readonly sort: string;
  /** A tag, such as a month, that distinguishes a later index from earlier ones. Searches use the index once it contains every person. */
  readonly added?: string;
}

export type PersonIndexes = Readonly<Record<string, PersonIndex>>;

export const keyAttribute = (attribute: string, part: 'Key' | 'Sort'): string => `${attribute}${part}`;
