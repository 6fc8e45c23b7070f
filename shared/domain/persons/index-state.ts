import * as z from 'zod/mini';

/** A run that fills the indexes, pass by pass. Times are epoch milliseconds. */
const reindexing = z.object({
  id: z.string(),
  begunAt: z.int(),
  /** The indexes that it fills, by `name@tag`. */
  indexes: z.array(z.string()),
  /** Which pass it is at, from 1, and when that begins. */
  pass: z.int(),
  passFrom: z.int(),
  /** Where the pass is: the last id that it has read; missing at its beginning. */
  after: z.optional(z.string()),
  /** In this pass: how many persons it has read, and of how many it has changed the keys. */
  read: z.int(),
  changed: z.int(),
});
export type Reindexing = z.infer<typeof reindexing>;

/** What is known of the indexes that were added. */
export const indexState = z.object({
  /** Another one with each change. */
  mark: z.string(),
  /** The indexes that hold everybody, by `name@tag`. */
  whole: z.array(z.string()),
  run: z.optional(reindexing),
});
export type IndexState = z.infer<typeof indexState>;

/** A run that goes on. */
export const reindexStep = z.object({ run: z.string() });
