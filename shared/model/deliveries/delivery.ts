import * as z from 'zod/mini';
import { outcomeClasses } from './outcome.ts';

/**
 * `waiting`: it is on its way. `failed`: by its whole policy, or held up by us for good. `unknown`: whether it was taken is not
 * known, and it is not sent again. `missed`: published while the subscription was paused, or under a filter that did not want it.
 */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'unknown', 'missed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One attempt to deliver a message. */
export const attempt = z.object({
  /** When the receiver was asked; RFC 3339. */
  at: z.string(),
  class: z.enum(outcomeClasses),
  status: z.optional(z.int()),
  durationMs: z.optional(z.int()),
});

/** What became of a message for one subscription. Times are RFC 3339. */
export const delivery = z.object({
  messageId: z.string(),
  subject: z.optional(z.string()),
  publishedAt: z.string(),
  state: z.enum(deliveryStates),
  /** The last ten, the oldest first. */
  attempts: z.array(attempt),
  /** Not before. */
  nextAttemptAt: z.optional(z.string()),
});
export type Delivery = z.infer<typeof delivery>;
