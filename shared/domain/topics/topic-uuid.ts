import { nameUuid } from '../name-uuid.ts';
import { isUuid } from '../text.ts';

/** The uuid of the topic with this name, in all its generations. */
export const topicUuid = (name: string): string => nameUuid('topic', name);

/** The uuid of a topic that a caller names by its uuid or by its name. */
export const uuidOfTopic = (uuidOrName: string): string =>
  isUuid(uuidOrName) ? uuidOrName.toLowerCase() : topicUuid(uuidOrName);
