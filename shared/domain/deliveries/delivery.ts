import * as z from 'zod/mini';
import type { ConfirmationRequest, StoredSubscription } from '../subscriptions/subscription.ts';
import { isoTime } from '../time.ts';
import { type KeptResponse, keptBytes } from './kept-response.ts';
import { attemptOf, type DeliveryOutcome, outcomeClasses, type PastAttempt } from './outcome.ts';

interface PublishedMessage extends Pick<Delivery, 'type'> {
  readonly messageId: string;
  readonly subject?: string | undefined;
  /** RFC 3339. */
  readonly timestamp: string;
}

export interface DeliveryRecord {
  readonly batchOutcome?: DeliveryOutcome | undefined;
  readonly single?:
    | {
        readonly state: 'waiting' | 'parked' | 'leased' | 'delivered' | 'failed' | 'dropped';
        readonly outcome?: DeliveryOutcome | undefined;
        readonly past: readonly PastAttempt[];
        readonly notBefore?: number | undefined;
        readonly isStuck: boolean;
        /** The response to the last attempt. */
        readonly response?: KeptResponse | undefined;
      }
    | undefined;
}

const endOf = ({ class: kind }: DeliveryOutcome): DeliveryState => (kind === 'unknown' ? 'unknown' : 'delivered');

/** Returns the state of a delivery, or undefined if its rows contain no state. */
export function stateOf({ batchOutcome: shared, single: own }: DeliveryRecord): DeliveryState | undefined {
  if (own !== undefined) {
    if (own.isStuck) return 'failed';
    if (own.state === 'delivered') return own.outcome === undefined ? 'delivered' : endOf(own.outcome);
    if (own.state === 'waiting' || own.state === 'parked' || own.state === 'leased') return 'waiting';
    // The `dropped` state means that the message must no longer be sent to the subscription.
    const wasTried = own.past.length > 0 || attemptOf(own.outcome) !== undefined;
    return own.state === 'failed' || wasTried ? 'failed' : undefined;
  }
  if (shared === undefined) return undefined;
  if (shared.next === 'none') return endOf(shared);
  return shared.next === 'retry' ? 'waiting' : 'failed';
}

const showAttempt = (
  [kind, status, endedAt, tookMs, code]: PastAttempt,
  response: KeptResponse | undefined,
): Delivery['attempts'][number] => ({
  at: isoTime(endedAt - (tookMs ?? 0)),
  class: kind,
  ...(status !== null && { status }),
  ...(code !== undefined && { code }),
  ...(tookMs !== null && { durationMs: tookMs }),
  // During a deployment, an older version of the code may record another attempt without removing the stored response.
  ...(response?.at === endedAt && { response: response.text }),
});

/** Describes the delivery of a confirmation request, even if the delivery has no row yet. */
export function describeConfirmation({ messageId, requestedAt }: ConfirmationRequest, known: DeliveryRecord): Delivery {
  const request = { messageId, type: 'SubscriptionConfirmation', timestamp: isoTime(requestedAt) } as const;
  return describe(request, known, stateOf(known) ?? 'waiting');
}

/**
 * Describes a delivery for its subscriber. If a wanted message has no rows, its state is `waiting`, or `missed` if the
 * subscription was paused or had a different filter. Returns undefined if the message is not meant for the
 * subscription.
 * @param isWanted whether the subscription was confirmed before the message was published and its filter matches the
 * message
 * @param owner the reader's key, if the reader owns the subscription; only the owner sees responses to attempts
 */
export function describeDelivery(
  message: PublishedMessage,
  known: DeliveryRecord,
  {
    isActive,
    activeSince = 0,
    filteredSince = 0,
  }: Pick<StoredSubscription, 'isActive' | 'activeSince' | 'filteredSince'>,
  isWanted: boolean,
  owner?: string,
): Delivery | undefined {
  const unserved =
    isActive && Math.max(activeSince, filteredSince) <= Date.parse(message.timestamp) ? 'waiting' : 'missed';
  const state = stateOf(known) ?? (isWanted ? unserved : undefined);
  return state && describe(message, known, state, owner);
}

function describe(
  { messageId, type, subject, timestamp }: PublishedMessage,
  { single: own, batchOutcome: shared }: DeliveryRecord,
  state: DeliveryState,
  owner?: string,
): Delivery {
  const last = attemptOf(own === undefined ? shared : own.outcome);
  const response = owner && own?.response?.owner === owner ? own.response : undefined;
  const ended = [...(own?.past ?? []), ...(last === undefined ? [] : [last])];
  const attempts = ended.map((one) => showAttempt(one, response));
  const isTimed = state === 'waiting' && own?.state === 'waiting' && own.notBefore !== undefined;
  return {
    messageId,
    ...(type !== undefined && { type }),
    ...(subject !== undefined && { subject }),
    publishedAt: timestamp,
    state,
    attempts,
    ...(isTimed && { nextAttemptAt: isoTime(own.notBefore ?? 0) }),
  };
}

export const deliveryStates = [
  'waiting',
  'delivered',
  /** No retries are left, or an internal error blocks the delivery. */
  'failed',
  /** The receiver may have received the message, so the delivery is not retried. */
  'unknown',
  /** The message was published while the subscription was paused or had a different filter. */
  'missed',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const attempt = z.object({
  /** The start time of the request (RFC 3339). */
  at: z.string(),
  class: z.enum(outcomeClasses),
  status: z.optional(z.int()),
  code: z.optional(z.string()),
  durationMs: z.optional(z.int()),
  /**
   * The first bytes of the response to a failed attempt, if the deployment keeps responses and the reader owns the
   * subscription.
   */
  response: z.optional(z.string().check(z.maxLength(keptBytes))),
});

/** A delivery in the form that the API returns. Times are in RFC 3339 format. */
export const delivery = z.object({
  messageId: z.string(),
  /** Only confirmation requests have a type. */
  type: z.optional(z.literal('SubscriptionConfirmation')),
  subject: z.optional(z.string()),
  publishedAt: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.array(attempt),
  nextAttemptAt: z.optional(z.string()),
});
export type Delivery = z.infer<typeof delivery>;
