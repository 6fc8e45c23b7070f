/** The message for a field that must be so: whoever left it out, or misspelt its name, hears that it is missing. */
export const named =
  (must: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `is missing: it ${must}` : must;
