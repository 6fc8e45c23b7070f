import * as z from 'zod/mini';

/** A reindexing run, which fills indexes in several passes. Times are epoch milliseconds. */
const reindexing = z.object({
  id: z.string(),
  begunAt: z.int(),
  /** The indexes to fill, as `name@tag`. */
  indexes: z.array(z.string()),
  /** The number of the current pass, counted from 1, and its start time. */
  pass: z.int(),
  passFrom: z.int(),
  /** The id of the last person that the current pass has read; missing when a pass starts. */
  after: z.optional(z.string()),
  /** How many persons the current pass has read, and how many it has changed. */
  read: z.int(),
  changed: z.int(),
});
export type Reindexing = z.infer<typeof reindexing>;

export const indexState = z.object({
  version: z.string(),
  /** The indexes that contain every person, as `name@tag`. */
  complete: z.array(z.string()),
  run: z.optional(reindexing),
});
export type IndexState = z.infer<typeof indexState>;

export const reindexStep = z.object({ run: z.string() });
