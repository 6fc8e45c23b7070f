/** A request for at most `limit` rows of a list, starting at `cursor`. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<Value> {
  readonly values: readonly Value[];
  /** The start of the next page; undefined on the last page. */
  readonly cursor: string | undefined;
  /** True if the maximum number of rows has been read, so that this page must be the last page of the request. */
  readonly isCut?: boolean;
}
