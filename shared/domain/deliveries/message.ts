import * as z from 'zod/mini';

/** A published message on its way. The body travels as base64, so that it arrives byte for byte as it came. */
export const notification = z.object({
  messageId: z.string(),
  topicUuid: z.string(),
  topicName: z.string(),
  generation: z.string(),
  subject: z.optional(z.string()),
  contentType: z.string(),
  bodyBase64: z.string(),
  /** Where the body of a long message lies. */
  bodyKey: z.optional(z.string()),
  /** Who published it, as limits count them; no receiver is told. */
  publisher: z.optional(z.string()),
  /** RFC 3339. */
  timestamp: z.string(),
});
export type Notification = z.infer<typeof notification>;

/** A message whose body, when long, is not carried but read by its key. */
export const referredNotification = z.object({ ...notification.shape, bodyBase64: z.optional(z.string()) });
export type ReferredNotification = z.infer<typeof referredNotification>;

/** What a task delivers: the notification, or a request to confirm. */
export const content = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Notification'),
    ...referredNotification.shape,
    /** Nobody has published it: one subscriber tries what happens. The ledger has no row of it. */
    isTest: z.optional(z.boolean()),
  }),
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
