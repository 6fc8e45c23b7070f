import * as z from 'zod/mini';
import { isUuid, plainLine } from '../../domain/text.ts';

/** 1 to 256 characters, and not itself like a UUID, because a topic's name may stand in the place of its uuid. */
export const topicName = plainLine.check(
  z.refine((name) => !isUuid(name), { error: 'must not look like a UUID: choose a name such as CR' }),
);

/** The Topic of OSIA notification 1.2.0. */
export const topic = z.object({ uuid: z.string(), name: z.string() });
export type Topic = z.infer<typeof topic>;

/** A topic as stored. `generation` changes when it is deleted and created again: it then starts with nobody. */
export const storedTopic = z.object({ ...topic.shape, generation: z.string() });
export type StoredTopic = z.infer<typeof storedTopic>;
