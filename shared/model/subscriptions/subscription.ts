import * as z from 'zod/mini';

export const protocols = ['http', 'email'] as const;
export type Protocol = (typeof protocols)[number];

/** The Subscription of OSIA notification 1.2.0. */
export const subscription = z.object({
  uuid: z.string(),
  topic: z.string(),
  protocol: z.enum(protocols),
  address: z.string(),
  policy: z.string(),
  active: z.boolean(),
});
export type Subscription = z.infer<typeof subscription>;

/** Why a subscription was paused: it asked for it (410), its mail bounced or was complained of, nothing reached it. */
export const pauseReasons = ['gone', 'bounce', 'complaint', 'undeliverable'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** A subscription as stored. Times are epoch milliseconds. */
export const storedSubscription = z.object({
  uuid: z.string(),
  topicUuid: z.string(),
  topicName: z.string(),
  /** The generation of the topic that it was made in; a topic created again does not inherit subscribers. */
  generation: z.string(),
  protocol: z.enum(protocols),
  address: z.string(),
  countdownSeconds: z.int(),
  maxRetries: z.int(),
  isActive: z.boolean(),
  /** SHA-256 of the confirmation token, hex. */
  tokenHash: z.string(),
  tokenExpiresAt: z.int(),
  /** True once the confirmation message was sent, whatever the answer. */
  isAsked: z.optional(z.boolean()),
  /** True once the confirmation message has used up its retries. */
  hasConfirmationFailed: z.boolean(),
  createdAt: z.int(),
  /** Since when it is active without a break. */
  activeSince: z.optional(z.int()),
  /** The last delivery that ended a failure or slowness; others are not written down. */
  lastDeliveredAt: z.optional(z.int()),
  /** True while its last attempt failed or was slow: it then gets tasks of its own. */
  isFailing: z.optional(z.boolean()),
  /** Its first failure since its last delivery; missing while there was none. */
  failingSince: z.optional(z.int()),
  pausedReason: z.optional(z.enum(pauseReasons)),
});
export type StoredSubscription = z.infer<typeof storedSubscription>;
