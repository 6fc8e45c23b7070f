/** Returns a function that creates the error message for an invalid or missing field. */
export const missingOr =
  (must: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `is missing: it ${must}` : must;
