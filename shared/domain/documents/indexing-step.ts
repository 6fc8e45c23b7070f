import * as z from 'zod/mini';

export const indexingStep = z.object({
  indexing: z.string(),
  /** The name of the last object of the previous step; missing in the first step. */
  after: z.optional(z.string()),
  added: z.int(),
});
export type IndexingStep = z.infer<typeof indexingStep>;
