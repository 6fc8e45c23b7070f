/** Who registered a person, and when (RFC 3339): it stands in the row, and no operation answers it. */
export interface Registered {
  /** The caller of the API, or the key of the file of changes. */
  readonly registeredBy: string;
  readonly registeredAt: string;
}
