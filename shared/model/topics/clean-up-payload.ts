import * as z from 'zod/mini';

/**
 * Work after a topic is deleted: remove the subscriptions of its generations before the deletion. `before` is an id of
 * that moment, as generations are: a UUID version 7, which ascends with time.
 */
export const cleanUpPayload = z.object({
  topicUuid: z.string(),
  before: z.string(),
  /** The last subscription that an earlier run looked at, where there was more than it had time for. */
  after: z.optional(z.object({ uuid: z.string(), topicGeneration: z.string() })),
});
export type CleanUpPayload = z.infer<typeof cleanUpPayload>;
