import * as z from 'zod/mini';

/** A step of the index over the documents that are there already; what is left after it is a step of its own. */
export const indexingStep = z.object({
  /** Distinguishes one run from another in the log. */
  indexing: z.string(),
  /** The name of the last object that was looked at; missing at the beginning. */
  after: z.optional(z.string()),
  /** How many links the steps before have added. */
  added: z.int(),
});
export type IndexingStep = z.infer<typeof indexingStep>;
