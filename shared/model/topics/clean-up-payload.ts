import * as z from 'zod/mini';

/**
 * Work after a topic is deleted: remove the subscriptions of its generations before the deletion. `before` is an id of
 * that moment, as generations are: a UUID version 7, which ascends with time.
 */
export const cleanUpPayload = z.object({ topicUuid: z.string(), before: z.string() });
export type CleanUpPayload = z.infer<typeof cleanUpPayload>;
