/**
 * Makes the message for an invalid field. It says so if the field is missing, for example because its name is misspelt.
 */
export const missingOr =
  (must: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `is missing: it ${must}` : must;
