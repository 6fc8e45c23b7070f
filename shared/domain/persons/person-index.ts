export interface PersonIndex {
  readonly partition: string;
  readonly sort: string;
  /** Set on an index that is added to existing persons: any tag, such as the month. The index is searched after it is filled. */
  readonly added?: string;
}

export type PersonIndexes = Readonly<Record<string, PersonIndex>>;

export const keyAttribute = (attribute: string, part: 'Key' | 'Sort'): string => `${attribute}${part}`;
