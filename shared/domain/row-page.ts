/** A request for a page of a list: at most `limit` rows from `cursor`. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<Value> {
  readonly values: readonly Value[];
  /** The start of the next page. Undefined on the last page. */
  readonly cursor: string | undefined;
  /** True if the request must end with this page, because it has read the maximum number of rows. */
  readonly isCut?: boolean;
}
