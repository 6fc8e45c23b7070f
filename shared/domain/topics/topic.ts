import * as z from 'zod/mini';
import { nameUuid } from '../name-uuid.ts';
import { isUuid, plainLine } from '../text.ts';

/**
 * The payload that cleans up after a topic is deleted: it deletes the subscriptions of the topic's earlier generations.
 * `before` is a UUID version 7 of the time of deletion; like generations, it sorts by time.
 */
export const cleanUpPayload = z.object({
  topicUuid: z.string(),
  before: z.string(),
  /** The last subscription that an earlier run checked before its time ran out. */
  after: z.optional(z.object({ uuid: z.string(), topicGeneration: z.string() })),
});
export type CleanUpPayload = z.infer<typeof cleanUpPayload>;

/** Returns the uuid of a topic, the same in all its generations. */
export const topicUuid = (name: string): string => nameUuid('topic', name);

/** Returns the uuid of a topic, given its uuid or its name. */
export const uuidOfTopic = (uuidOrName: string): string =>
  isUuid(uuidOrName) ? uuidOrName.toLowerCase() : topicUuid(uuidOrName);

/** A name of 1 to 256 characters. It must not look like a UUID, because requests accept a name in place of a uuid. */
export const topicName = plainLine.check(
  z.refine((name) => !isUuid(name), { error: 'must not look like a UUID: choose a name such as CR' }),
);

/** The Topic of OSIA notification 1.2.0. */
export const topic = z.object({ uuid: z.string(), name: z.string() });
export type Topic = z.infer<typeof topic>;

/** A stored topic. A topic that is deleted and created again has a new `generation` without subscribers. */
export const storedTopic = z.object({ ...topic.shape, generation: z.string() });
export type StoredTopic = z.infer<typeof storedTopic>;
