import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import { tokenLifetimeMs } from './subscription-token.ts';

// A confirmation that has not been sent by then was lost on the way.
const sentWithinMs = 5 * 60 * 1000;

/**
 * True when subscribing again must send another confirmation: the one before has ended its retries, has expired (pausing
 * ends it too), or was never sent.
 */
export function mustAskAgain(stored: StoredSubscription, now: number): boolean {
  if (stored.isActive) return false;
  const askedAt = stored.tokenExpiresAt - tokenLifetimeMs;
  const isLost = !stored.isAsked && now - askedAt > sentWithinMs;
  return stored.hasConfirmationFailed || stored.tokenExpiresAt <= now || isLost;
}
