/** A request for a page of a list: at most `limit` rows from `cursor`. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<Value> {
  readonly values: readonly Value[];
  /** The start of the next page. Undefined at the end. */
  readonly cursor: string | undefined;
  /** Whether the request must end with this page, because it has read as many rows as it may. */
  readonly isCut?: boolean;
}
