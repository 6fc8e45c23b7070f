import { timingSafeEqual } from 'node:crypto';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import { hashToken } from './subscription-token.ts';

/**
 * What a confirmation link stands for at `now` (epoch milliseconds). Used is not expired: once it has confirmed, a link
 * stays good for as long as the subscription is active.
 */
export function confirmationState(
  stored: Pick<StoredSubscription, 'tokenHash' | 'tokenExpiresAt' | 'isActive'> | undefined,
  token: string,
  now: number,
): 'open' | 'confirmed' | 'expired' | 'unknown' {
  const hash = Buffer.from(hashToken(token));
  const kept = Buffer.from(stored?.tokenHash ?? '');
  if (stored === undefined || kept.length !== hash.length || !timingSafeEqual(kept, hash)) return 'unknown';
  if (stored.isActive) return 'confirmed';
  return stored.tokenExpiresAt > now ? 'open' : 'expired';
}
