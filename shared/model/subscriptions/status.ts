import * as z from 'zod/mini';
import { pauseReasons, subscription } from './subscription.ts';

export const subscriptionStates = ['pending', 'active', 'paused'] as const;

/** Why: of a paused one, what paused it; of a pending one, what became of asking its address; of an active one, that it fails. */
export const stateReasons = [...pauseReasons, 'asked', 'unreachable', 'expired', 'failing'] as const;

/** A delivery that waits counts up to this many. */
export const mostWaiting = 1000;

const ending = z.object({ class: z.string(), status: z.exactOptional(z.int()), at: z.string() });

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
  lastTest: z.exactOptional(z.object({ messageId: z.string(), ...ending.shape })),
  waiting: z.int().check(z.describe(`deliveries that wait for another attempt, counted to ${mostWaiting}`)),
});
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;
