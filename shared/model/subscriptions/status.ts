import * as z from 'zod/mini';
import { pauseReasons, subscription } from '../../domain/subscriptions/subscription.ts';

const subscriptionStates = ['pending', 'active', 'paused'] as const;

/** Why: of a paused one, what paused it; of a pending one, what became of asking its address; of an active one, that it fails. */
const stateReasons = [...pauseReasons, 'asked', 'unreachable', 'expired', 'failing'] as const;

/** A delivery that waits counts up to this many. */
export const mostWaiting = 1000;

/** How an attempt ended: its class, the receiver's status, and when (RFC 3339). */
export const ending = z.object({ class: z.string(), status: z.exactOptional(z.int()), at: z.string() });

/** How a test event ended. */
export const testEnding = z.object({ messageId: z.string(), ...ending.shape });

/** A subscription and how it stands. Times are RFC 3339. */
export const subscriptionStatus = z.object({
  ...subscription.shape,
  state: z.enum(subscriptionStates),
  stateReason: z.exactOptional(z.enum(stateReasons)),
  createdAt: z.string(),
  confirmedAt: z.exactOptional(z.string()),
  lastDeliveredAt: z.exactOptional(z.string()),
  lastFailure: z.exactOptional(ending),
  /** How the last test event ended. */
  lastTest: z.exactOptional(testEnding),
  /** Deliveries that wait for another attempt, counted to `mostWaiting`. */
  waiting: z.int(),
});
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;
