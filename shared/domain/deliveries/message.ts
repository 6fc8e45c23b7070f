import * as z from 'zod/mini';
import { protocols } from '../subscriptions/subscription.ts';

/** Longer bodies are stored in S3. For these bodies, rows and queue messages contain only the object key. */
const inlineBytes = 4096;

export const isLongBody = (bodyBase64: string): boolean => Buffer.byteLength(bodyBase64, 'base64') > inlineBytes;

/** Removes the body from the notification if the body is stored in S3. */
export const withoutStoredBody = (notification: CarriedNotification): CarriedNotification =>
  notification.bodyKey === undefined ? notification : { ...notification, bodyBase64: undefined };

export function taskContent(notification: CarriedNotification): Content {
  const { publisher: _, ...told } = withoutStoredBody(notification);
  return { type: 'Notification', ...told };
}

export const messageIdResponse = z.object({ messageId: z.string() });

/**
 * A published message. The body is encoded in base64, so that receivers get exactly the published bytes. If the body is
 * stored in S3, only its key is given.
 */
export const carriedNotification = z.object({
  messageId: z.string(),
  topicUuid: z.string(),
  topicName: z.string(),
  topicTitle: z.optional(z.string()),
  generation: z.string(),
  subject: z.optional(z.string()),
  contentType: z.string(),
  bodyBase64: z.optional(z.string()),
  bodyKey: z.optional(z.string()),
  /** The client that published the message. The client's name is not sent to receivers. */
  publisher: z.optional(z.string()),
  /** RFC 3339. */
  timestamp: z.string(),
});
export type CarriedNotification = z.infer<typeof carriedNotification>;

export const content = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Notification'),
    ...carriedNotification.shape,
    isTest: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal('SubscriptionConfirmation'),
    messageId: z.string(),
    topicUuid: z.string(),
    topicName: z.string(),
    topicTitle: z.optional(z.string()),
    token: z.string(),
    timestamp: z.string(),
  }),
]);
export type Content = z.infer<typeof content>;

/** A segment of a large topic: the shards from `from` to `to` (exclusive). */
const segment = z.object({ shardBits: z.int(), from: z.int(), to: z.int() });
export type Segment = z.infer<typeof segment>;

/**
 * The payload for fan-out: a publication, a segment of a publication, or a reconciliation. Each call to `publish` has
 * its own `publicationId`. A reconciliation sends only tasks that have no outcome.
 */
export const fanOutPayload = z.object({
  publicationId: z.string(),
  notification: carriedNotification,
  segment: z.optional(segment),
  isReconciliation: z.optional(z.boolean()),
  /** True if the reconciled message was never fanned out. In that case, its journal rows may also be missing. */
  isFirstFanOut: z.optional(z.boolean()),
  /**
   * The protocols that the reconciliation skips. If a task of a skipped protocol has no outcome, the task counts as
   * open.
   */
  skippedProtocols: z.optional(z.readonly(z.array(z.enum(protocols)))),
  openTasksFound: z.optional(z.int()),
});
export type FanOutPayload = z.infer<typeof fanOutPayload>;
