import * as z from 'zod/mini';
import { keptResponse } from '../../domain/deliveries/kept-response.ts';
import { carriedNotification } from '../../domain/deliveries/message.ts';
import {
  type DeliveryOutcome,
  deliveryOutcome,
  type PastAttempt,
  pastAttempt,
} from '../../domain/deliveries/outcome.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';

/**
 * The outcomes of a batch, keyed by subscription. Successful outcomes are stored in a compact form, so that ten of them
 * fit into one write unit (1 KB).
 */
export const storedOutcomes = z._default(
  z.record(
    z.string(),
    z.union([
      deliveryOutcome,
      z.pipe(
        pastAttempt,
        z.transform(
          ([kind, status, at, tookMs]): DeliveryOutcome => ({
            ...{ class: kind, at, next: 'none' },
            ...(status !== null && { status }),
            ...(tookMs !== null && { tookMs }),
          }),
        ),
      ),
    ]),
  ),
  {},
);

const keep = (outcome: DeliveryOutcome): DeliveryOutcome | PastAttempt =>
  outcome.class === 'delivered' && outcome.next === 'none'
    ? [outcome.class, outcome.status ?? null, outcome.at, outcome.tookMs ?? null]
    : outcome;

export const toStoredOutcomes = (outcomes: Readonly<Record<string, DeliveryOutcome>>) =>
  Object.fromEntries(Object.entries(outcomes).map(([uuid, outcome]) => [uuid, keep(outcome)]));

export const messageRow = z.object({
  ...carriedNotification.shape,
  publicationId: z.string(),
  contentId: z.optional(z.string()),
  /** Undefined until the fan-out begins. */
  shardBits: z.optional(z.int()),
  /** Epoch seconds. */
  expiresAt: z.int(),
});
export type MessageRow = z.infer<typeof messageRow>;

export const taskRow = z.object({
  taskKey: z.string(),
  state: z.enum(['leased', 'recorded']),
  leaseId: z.string(),
  leaseUntil: z.int(),
  outcomes: storedOutcomes,
  hasRunAfterEffects: z._default(z.boolean(), false),
});
export type TaskRow = z.infer<typeof taskRow>;

const sweepState = {
  resumes: z._default(z.int(), 0),
  /** True if the sweeper has already postponed the row once until its lane was drained. */
  wasPostponed: z._default(z.boolean(), false),
  /** The protocols that the last reconciliation of a message skipped. Only message rows have this field. */
  skippedProtocols: z._default(z.readonly(z.array(z.enum(protocols))), []),
  /** True if the sweeper has resumed the row too often. An operator must redeliver it. */
  isStuck: z._default(z.boolean(), false),
};
export const sweepStateNames: readonly string[] = Object.keys(sweepState);

/** `parked`: the receiver is failing, and older messages are attempted first. The row has no timer. */
export const singleStates = ['waiting', 'parked', 'leased', 'delivered', 'failed', 'dropped'] as const;

/** The row of a single delivery. Times are epoch milliseconds. */
export const singleRow = z.object({
  messageShard: z.string(),
  messageId: z.string(),
  taskKey: z.string(),
  state: z.enum(singleStates),
  /** The number of the last leased attempt; -1 before the first attempt. */
  attempt: z.int(),
  base: z._default(z.int(), 0),
  protocol: z.enum(protocols),
  leaseId: z.optional(z.string()),
  outcome: z.optional(deliveryOutcome),
  past: z._default(z.readonly(z.array(pastAttempt)), []),
  notBefore: z.optional(z.int()),
  response: z.optional(keptResponse),
  hasRunAfterEffects: z._default(z.boolean(), false),
  ...sweepState,
});
export type SingleRow = z.infer<typeof singleRow>;

/** A row in the sweeper's index: a single delivery, a message, a recovery or a parking row. */
export const dueRow = z.object({
  messageShard: z.string(),
  messageId: z.string(),
  taskKey: z.string(),
  sweepShard: z.string(),
  sweepAt: z.string(),
  state: z.optional(z.enum(singleStates)),
  attempt: z._default(z.int(), 0),
  base: z._default(z.int(), 0),
  protocol: z.optional(z.enum(protocols)),
  isConfirmation: z._default(z.boolean(), false),
  failingSince: z._default(z.int(), 0),
  ...sweepState,
});
export type DueRow = z.infer<typeof dueRow>;

export const messageSummary = z.pick(messageRow, {
  messageId: true,
  generation: true,
  subject: true,
  topicName: true,
  timestamp: true,
  shardBits: true,
});
export type MessageSummary = z.infer<typeof messageSummary>;
