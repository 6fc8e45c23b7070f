import * as z from 'zod/mini';
import { protocols } from '../subscriptions/subscription.ts';

/** A published message on its way. The body travels as base64, so that it arrives byte for byte as it came. */
export const notification = z.object({
  messageId: z.string(),
  topicUuid: z.string(),
  topicName: z.string(),
  generation: z.string(),
  subject: z.optional(z.string()),
  contentType: z.string(),
  bodyBase64: z.string(),
  /** RFC 3339. */
  timestamp: z.string(),
});
export type Notification = z.infer<typeof notification>;

/** A message whose body, when long, was left in the ledger. */
export const referredNotification = z.object({ ...notification.shape, bodyBase64: z.optional(z.string()) });
export type ReferredNotification = z.infer<typeof referredNotification>;

/** A part of a large topic: the buckets `from` to `to` (exclusive) of `2 ** bits`, by the leading bits of the uuid. */
export const segment = z.object({ bits: z.int(), from: z.int(), to: z.int() });
export type Segment = z.infer<typeof segment>;

/**
 * Work for fan-out: one publication, which brings its whole body, or a segment or an audit of it, to be turned into tasks.
 * `publicationId` differs for each call of publish. An audit sends only the tasks that the ledger does not know.
 */
export const fanOutPayload = z.object({
  publicationId: z.string(),
  notification: referredNotification,
  segment: z.optional(segment),
  isAudit: z.optional(z.boolean()),
  /** Of an audit in segments, how many tasks those before this one found open. */
  foundOpen: z.optional(z.int()),
});
export type FanOutPayload = z.infer<typeof fanOutPayload>;

/**
 * Work after a topic is deleted: remove the subscriptions of its lives that began before the deletion. `before` is an id of
 * that moment, as generations are: a UUID version 7, which ascends with time.
 */
export const cleanUpPayload = z.object({ topicUuid: z.string(), before: z.string() });
export type CleanUpPayload = z.infer<typeof cleanUpPayload>;

/** What a task delivers: the notification, or a request to confirm. */
export const content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Notification'), ...referredNotification.shape }),
  z.object({
    type: z.literal('SubscriptionConfirmation'),
    messageId: z.string(),
    topicUuid: z.string(),
    topicName: z.string(),
    token: z.string(),
    timestamp: z.string(),
  }),
]);
export type Content = z.infer<typeof content>;

/**
 * One message for about ten subscriptions of one protocol, or (`isSingle`) for one, with a ledger row of its own.
 * `attempt` 0 is the first.
 */
export const deliveryTask = z.object({
  taskKey: z.string(),
  protocol: z.enum(protocols),
  isSingle: z.boolean(),
  attempt: z.int(),
  subscriptionUuids: z.array(z.string()),
  content,
});
export type DeliveryTask = z.infer<typeof deliveryTask>;

/** A task that waits in the retry queue. `notBefore` is epoch milliseconds. */
export const waitingTask = z.object({ notBefore: z.int(), task: deliveryTask });
export type WaitingTask = z.infer<typeof waitingTask>;
