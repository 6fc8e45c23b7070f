import * as z from 'zod/mini';
import { ClientError } from '../client-errors.ts';
import { nameUuid } from '../name-uuid.ts';
import { isUuid, plainLine } from '../text.ts';

/**
 * The payload for the removal of a deleted topic's subscriptions. The `before` field contains a version 7 UUID that was
 * created at the time of the deletion. It sorts after the ids of earlier generations.
 */
export const cleanUpPayload = z.object({
  topicUuid: z.string(),
  before: z.string(),
  /** The last subscription that the previous run checked before it ran out of time. */
  after: z.optional(z.object({ uuid: z.string(), topicGeneration: z.string() })),
});
export type CleanUpPayload = z.infer<typeof cleanUpPayload>;

/** Returns the uuid of a topic. The uuid is the same in all generations of the topic. */
export const topicUuid = (name: string): string => nameUuid('topic', name);

/** Returns the uuid of a topic from the topic's uuid or name. */
export const uuidOfTopic = (uuidOrName: string): string =>
  isUuid(uuidOrName) ? uuidOrName.toLowerCase() : topicUuid(uuidOrName);

// The recommended scripts (UAX 31, table 5), and the scripts in limited use that are taught in schools (table 7).
const scripts =
  'Latin Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao ' +
  'Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan Adlam Canadian_Aboriginal Cherokee Mongolian Nko ' +
  'Syriac Tifinagh Vai Yi';
// Japanese, Korean and Chinese words may mix several scripts (UTS 39, section 5.1).
const mixed = ['Han Hiragana Katakana', 'Han Hangul', 'Han Bopomofo'];

const words = (name: string): string[] => name.split(/[^\p{L}\p{M}\p{N}]+/u);

/** Returns whether all letters of a word can belong to one script (UTS 39, section 5.1). */
const isOfOneScript = (word: string): boolean =>
  [...scripts.split(' '), ...mixed].some((names) => {
    const allowed = `Common Inherited ${names}`.split(' ').map((name) => `\\p{scx=${name}}`);
    return new RegExp(`^[${allowed.join('')}]*$`, 'u').test(word);
  });

// Requests accept names and UUIDs, so a name must not look like a UUID. People read names and titles in emails, so
// names and titles must not look like other names or turn into links.
const nameLine = plainLine.check(
  z.refine((name) => !isUuid(name), { error: 'must not look like a UUID: choose a name such as CR' }),
  z.refine((name) => name.normalize('NFKC') === name, {
    error: 'must not contain compatibility characters such as full-width letters or ligatures: use ordinary characters',
  }),
  z.refine((name) => !/:\/\/|\b(?:mailto|tel|sms|data|javascript):|\bwww\./i.test(name), {
    error: 'must not contain a URL or www.',
  }),
);

/**
 * The reserved topic for events about the state of subscriptions. Only this service publishes to the reserved topic.
 */
export const statusTopicName = 'subscription-status';
export const statusTopicUuid = topicUuid(statusTopicName);

/** @throws ClientError `invalidParameter` if clients may not change the topic or publish to it */
export function rejectReservedTopic(uuid: string): void {
  if (uuid === statusTopicUuid)
    throw new ClientError('invalidParameter', `uuid must not be the reserved topic ${statusTopicName}`);
}

/** A topic name of 1 to 256 characters. */
export const topicName = nameLine.check(
  z.refine((name) => name.toLowerCase() !== statusTopicName, {
    error: `must not be ${statusTopicName}, which is reserved: subscribe to it without creating it`,
  }),
  z.refine((name) => words(name).every(isOfOneScript), {
    error: 'must not mix letters of different scripts in one word, such as Latin and Cyrillic',
  }),
);

/** The title of a topic. People see the title instead of the name. Words may mix scripts, as in `Système β-test`. */
export const topicTitle = nameLine.check(
  z.refine((title) => [...title].length <= 100, { error: 'must be at most 100 characters long' }),
);

/** Returns the text that people see for a topic. */
export const shownTopic = (of: { readonly topicName: string; readonly topicTitle?: string | undefined }): string =>
  of.topicTitle ?? of.topicName;

/** A topic as defined in OSIA notification 1.2.0, and the topic's title, if it has one. */
export const topic = z.object({ uuid: z.string(), name: z.string(), title: z.exactOptional(z.string()) });
export type Topic = z.infer<typeof topic>;

/** A stored topic. A topic that is deleted and created again has a new `generation` without subscribers. */
export const storedTopic = z.object({ ...topic.shape, generation: z.string() });
export type StoredTopic = z.infer<typeof storedTopic>;
