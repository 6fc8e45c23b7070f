import * as z from 'zod/mini';
import { nameUuid } from '../name-uuid.ts';
import { isUuid, plainLine } from '../text.ts';

/**
 * The payload of the cleanup that removes the subscriptions of a deleted topic's earlier generations. `before` is a
 * version 7 UUID from the time of deletion, which sorts after the ids of earlier generations.
 */
export const cleanUpPayload = z.object({
  topicUuid: z.string(),
  before: z.string(),
  /** The last subscription that the previous run checked before it ran out of time. */
  after: z.optional(z.object({ uuid: z.string(), topicGeneration: z.string() })),
});
export type CleanUpPayload = z.infer<typeof cleanUpPayload>;

/** Returns the uuid of a topic, which is the same in all generations of the topic. */
export const topicUuid = (name: string): string => nameUuid('topic', name);

/** Returns the uuid of a topic from the topic's uuid or name. */
export const uuidOfTopic = (uuidOrName: string): string =>
  isUuid(uuidOrName) ? uuidOrName.toLowerCase() : topicUuid(uuidOrName);

/** A topic name of 1 to 256 characters. The name must not look like a UUID, because requests accept names and UUIDs. */
export const topicName = plainLine.check(
  z.refine((name) => !isUuid(name), { error: 'must not look like a UUID: choose a name such as CR' }),
);

/** A topic as defined in OSIA notification 1.2.0. */
export const topic = z.object({ uuid: z.string(), name: z.string() });
export type Topic = z.infer<typeof topic>;

/** A stored topic. A topic that is deleted and created again has a new `generation` without subscribers. */
export const storedTopic = z.object({ ...topic.shape, generation: z.string() });
export type StoredTopic = z.infer<typeof storedTopic>;
