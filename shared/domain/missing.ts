/** Returns a function that creates the message for an invalid field. The message says if the field is missing. */
export const missingOr =
  (must: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `is missing: it ${must}` : must;
