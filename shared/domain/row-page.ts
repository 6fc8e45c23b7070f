/** Which page of a list is asked for: at most `limit` rows, from `cursor` on. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Page<Value> {
  readonly values: readonly Value[];
  /** Where the next page starts; undefined at the end. */
  readonly cursor: string | undefined;
  /** True where so much was read for it that the request is to end with it. */
  readonly isCut?: boolean;
}
