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
  subjects: z.exactOptional(z.readonly(z.array(z.string()))),
});
export type Subscription = z.infer<typeof subscription>;

/** Reasons for a pause: status 410, a bounced email, a complaint about an email, or days without a delivery. */
export const pauseReasons = ['gone', 'bounce', 'complaint', 'undeliverable'] as const;
export type PauseReason = (typeof pauseReasons)[number];

const subjects = z._default(z.readonly(z.array(z.string())), []);

const slot = z.object({ id: z.string(), slot: z.string(), holder: z.string() });
export type Slot = z.infer<typeof slot>;

/** A confirmation request. Confirming it applies its policy, filter and owner. Times are epoch milliseconds. */
const confirmationRequest = z.object({
  countdownSeconds: z.int(),
  maxRetries: z.int(),
  subjects,
  caller: z.string(),
  messageId: z.string(),
  requestedAt: z.int(),
  expiresAt: z.int(),
  /** The request's slot among the caller's unconfirmed requests to this host, released on confirmation. */
  hostSlot: z.optional(slot),
  /** True if the confirmation could not be sent or used up its attempts. */
  hasFailed: z.optional(z.boolean()),
  /** True if clients own subscriptions. The request may then move an active subscription to another owner. */
  mayTransfer: z.optional(z.boolean()),
  /** When the token was used. It cannot be used again. */
  confirmedAt: z.optional(z.int()),
});
export type ConfirmationRequest = z.infer<typeof confirmationRequest>;

/** The result of an attempt: its class (as in delivery outcomes) and its end (epoch milliseconds). */
const failure = z.object({ class: z.string(), status: z.optional(z.int()), at: z.int() });
export type Failure = z.infer<typeof failure>;

/** A stored subscription. Times are epoch milliseconds. */
export const storedSubscription = z.object({
  uuid: z.string(),
  topicUuid: z.string(),
  topicName: z.string(),
  /** The generation of its topic. A topic that is created again does not inherit subscribers. */
  generation: z.string(),
  protocol: z.enum(protocols),
  address: z.string(),
  countdownSeconds: z.int(),
  maxRetries: z.int(),
  /** Event types or subjects. Empty means all events. */
  subjects,
  filteredSince: z.optional(z.int()),
  isActive: z.boolean(),
  /** The caller of the confirmed request or, before any confirmation, of the last request. Empty in old rows. */
  owner: z._default(z.string(), ''),
  /** Confirmation requests by the SHA-256 of their tokens (hex). */
  requests: z.record(z.string(), confirmationRequest),
  createdAt: z.int(),
  confirmedAt: z.optional(z.int()),
  /** Before the first confirmation: when the row expires, in epoch seconds. */
  expiresAt: z.optional(z.int()),
  activeSince: z.optional(z.int()),
  /** The last delivery that ended a failing or slow period. Other deliveries are not recorded here. */
  lastDeliveredAt: z.optional(z.int()),
  /** True if the last attempt failed or was slow. The subscription then gets single deliveries. */
  isFailing: z.optional(z.boolean()),
  failingSince: z.optional(z.int()),
  /** The failure that began the failing period or paused the subscription. Other failures are not recorded here. */
  lastFailure: z.optional(failure),
  lastTest: z.optional(z.object({ ...failure.shape, messageId: z.string() })),
  pausedReason: z.optional(z.enum(pauseReasons)),
});
export type StoredSubscription = z.infer<typeof storedSubscription>;
