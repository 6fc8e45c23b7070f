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
  /** Only where there is a filter: the events that it wants. */
  subjects: z.exactOptional(z.readonly(z.array(z.string()))),
});
export type Subscription = z.infer<typeof subscription>;

/** Why a subscription was paused: it asked for it (410), its mail bounced or was complained of, nothing reached it. */
export const pauseReasons = ['gone', 'bounce', 'complaint', 'undeliverable'] as const;
export type PauseReason = (typeof pauseReasons)[number];

// Of rows from before there were filters, too.
const subjects = z._default(z.readonly(z.array(z.string())), []);

/** A place among a limited number, and who holds it. */
const slot = z.object({ id: z.string(), slot: z.string(), holder: z.string() });
export type Slot = z.infer<typeof slot>;

/**
 * One request to confirm, as its caller asked: confirming its token applies that policy and filter and makes the
 * subscription that caller's. Times are epoch milliseconds.
 */
const confirmationRequest = z.object({
  countdownSeconds: z.int(),
  maxRetries: z.int(),
  subjects,
  /** The caller that asked. */
  caller: z.string(),
  /** Of the confirmation that was sent for it. */
  messageId: z.string(),
  askedAt: z.int(),
  /** When its token expires. */
  expiresAt: z.int(),
  /** Its place among its caller's unconfirmed requests to this host: free again once it is confirmed. */
  hostSlot: z.optional(slot),
  /** True once the confirmation has used up its attempts, or could not be sent at all. */
  hasFailed: z.optional(z.boolean()),
  /** True where each subscription is one caller's: the address is asked also while it is active for another, and may change hands. */
  mayTransfer: z.optional(z.boolean()),
  /** When its token was confirmed; from then on it changes nothing more. */
  confirmedAt: z.optional(z.int()),
});
export type ConfirmationRequest = z.infer<typeof confirmationRequest>;

/** How an attempt ended: its class (by the names of the ledger's outcomes), and when it ended (epoch milliseconds). */
const failure = z.object({ class: z.string(), status: z.optional(z.int()), at: z.int() });
export type Failure = z.infer<typeof failure>;

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
  /** The events that it wants, by their type or subject; none: all of them. */
  subjects,
  /** When its filter was last changed while it was active. */
  filteredSince: z.optional(z.int()),
  isActive: z.boolean(),
  /** The caller that it is of: whose request was confirmed, or, until then, made last. Empty of rows from before that was stored. */
  owner: z._default(z.string(), ''),
  /** The requests to confirm it, by the SHA-256 of their tokens (hex). */
  requests: z.record(z.string(), confirmationRequest),
  createdAt: z.int(),
  /** When it was confirmed for the first time. */
  confirmedAt: z.optional(z.int()),
  /** Until that: when its row goes, epoch seconds. */
  expiresAt: z.optional(z.int()),
  /** Since when it is active without a break. */
  activeSince: z.optional(z.int()),
  /** The last delivery that ended a failure or slowness; others are not written down. */
  lastDeliveredAt: z.optional(z.int()),
  /** True while its last attempt failed or was slow: it then gets tasks of its own. */
  isFailing: z.optional(z.boolean()),
  /** Its first failure since its last delivery; missing while there was none. */
  failingSince: z.optional(z.int()),
  /** The failure that its failing began with, or that paused it; others are not written down. */
  lastFailure: z.optional(failure),
  /** The last attempt at a test event. */
  lastTest: z.optional(z.object({ ...failure.shape, messageId: z.string() })),
  pausedReason: z.optional(z.enum(pauseReasons)),
});
export type StoredSubscription = z.infer<typeof storedSubscription>;
