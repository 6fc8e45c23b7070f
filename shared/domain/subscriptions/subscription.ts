import * as z from 'zod/mini';

export const protocols = ['http', 'email'] as const;
export type Protocol = (typeof protocols)[number];

export const deliveryFormats = [
  /** The body as published. */
  'raw',
  /** An OSIA Message object that contains the body. */
  'envelope',
] as const;
export type DeliveryFormat = (typeof deliveryFormats)[number];

/** A subscription as defined in OSIA notification 1.2.0. */
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

/**
 * The reasons for a pause: a response with status 410, a bounced email, a complaint about an email, or several days
 * without a successful delivery.
 */
export const pauseReasons = ['gone', 'bounce', 'complaint', 'undeliverable'] as const;
export type PauseReason = (typeof pauseReasons)[number];

const subjects = z._default(z.readonly(z.array(z.string())), []);

// Null means that the `deliveryFormat` setting applies.
const chosenFormat = z._default(z.nullable(z.enum(deliveryFormats)), null);

const slot = z.object({ id: z.string(), slot: z.string(), holder: z.string() });
export type Slot = z.infer<typeof slot>;

/**
 * A confirmation request. A confirmation applies the policy, filter, format and owner of the request. Times are epoch
 * milliseconds.
 */
const confirmationRequest = z.object({
  countdownSeconds: z.int(),
  maxRetries: z.int(),
  subjects,
  deliveryFormat: chosenFormat,
  caller: z.string(),
  messageId: z.string(),
  requestedAt: z.int(),
  expiresAt: z.int(),
  /** The slot in the caller's per-host limit that the request occupies until it is confirmed. */
  hostSlot: z.optional(slot),
  /**
   * True until the confirmation request is queued. The value remains true if the process stops before it queues the
   * request.
   */
  isUnsent: z.optional(z.boolean()),
  /** True if the last attempt to deliver the confirmation request failed. */
  hasFailed: z.optional(z.boolean()),
  /**
   * True if clients own their subscriptions. In that case, the request may transfer an active subscription to another
   * owner.
   */
  mayTransfer: z.optional(z.boolean()),
  /** The time at which the token was used; a token can be used only once. */
  confirmedAt: z.optional(z.int()),
});
export type ConfirmationRequest = z.infer<typeof confirmationRequest>;

/**
 * A failed delivery attempt, with its class, the receiver's status or a system error code, and the end time (epoch
 * milliseconds).
 */
const failure = z.object({
  class: z.string(),
  status: z.optional(z.int()),
  code: z.optional(z.string()),
  at: z.int(),
});
export type Failure = z.infer<typeof failure>;

/** The latest event about a subscription's state: the state, its start time, and the publication time. */
const statusNotice = z.object({ state: z.enum(['failing', 'paused', 'recovered']), since: z.int(), at: z.int() });
export type StatusNotice = z.infer<typeof statusNotice>;

/** A stored subscription. Times are epoch milliseconds. */
export const storedSubscription = z.object({
  uuid: z.string(),
  topicUuid: z.string(),
  topicName: z.string(),
  /** The title of the topic when the subscription was requested. */
  topicTitle: z.optional(z.string()),
  /**
   * The generation of the topic. A topic that is deleted and created again has a new generation without subscribers.
   */
  generation: z.string(),
  protocol: z.enum(protocols),
  address: z.string(),
  countdownSeconds: z.int(),
  maxRetries: z.int(),
  /** Event types or subjects. Empty means all events. */
  subjects,
  filteredSince: z.optional(z.int()),
  deliveryFormat: chosenFormat,
  isActive: z.boolean(),
  /**
   * The caller that made the confirmed request or, before any confirmation, the latest request. The field is empty in
   * old rows.
   */
  owner: z._default(z.string(), ''),
  /**
   * A keyed hash of the owner and the address's host, used to count an owner's subscriptions at each host.
   */
  callerHost: z.optional(z.string()),
  /** The confirmation requests, keyed by the SHA-256 hash (hex) of their tokens. */
  requests: z.record(z.string(), confirmationRequest),
  createdAt: z.int(),
  confirmedAt: z.optional(z.int()),
  /** The time (epoch seconds) at which the row of an unconfirmed subscription expires. */
  expiresAt: z.optional(z.int()),
  activeSince: z.optional(z.int()),
  /**
   * The time of the last delivery that ended a failing or slow period. Deliveries to a healthy receiver do not change
   * this time.
   */
  lastDeliveredAt: z.optional(z.int()),
  /** True if the last attempt failed or was slow. The subscription then gets single deliveries. */
  isFailing: z.optional(z.boolean()),
  failingSince: z.optional(z.int()),
  /** The failure that started the failing period or paused the subscription, or the failure of the latest probe. */
  lastFailure: z.optional(failure),
  lastTest: z.optional(z.object({ ...failure.shape, messageId: z.string() })),
  pausedReason: z.optional(z.enum(pauseReasons)),
  notified: z.optional(statusNotice),
});
export type StoredSubscription = z.infer<typeof storedSubscription>;
