import { timingSafeEqual } from 'node:crypto';
import type { ConfirmationRequest, StoredSubscription } from './subscription.ts';
import { hashToken } from './subscription-token.ts';

/** The request that a token confirms; undefined when it is none of the subscription's. Compared in constant time. */
export function requestOfToken(
  { requests }: Pick<StoredSubscription, 'requests'>,
  token: string,
): ConfirmationRequest | undefined {
  const given = Buffer.from(hashToken(token));
  return Object.entries(requests).find(([hash]) => {
    const kept = Buffer.from(hash);
    return kept.length === given.length && timingSafeEqual(kept, given);
  })?.[1];
}

/** Whether its address has confirmed it, so that it is somebody's: it is active, or paused. */
export const isConfirmed = ({
  isActive,
  pausedReason,
}: Pick<StoredSubscription, 'isActive' | 'pausedReason'>): boolean => isActive || pausedReason !== undefined;

/** Whether its address is still to be asked for a request at `now` (epoch milliseconds). */
export function isToBeAsked(
  { isActive, owner }: Pick<StoredSubscription, 'isActive' | 'owner'>,
  { expiresAt, confirmedAt, mayTransfer, caller }: ConfirmationRequest,
  now: number,
): boolean {
  if (expiresAt <= now || confirmedAt !== undefined) return false;
  return !isActive || (mayTransfer === true && caller !== owner);
}

/**
 * What a confirmation link stands for at `now` (epoch milliseconds). Used is not expired: once it has confirmed, a link
 * stays good for as long as the subscription is active.
 */
export function confirmationState(
  stored: Pick<StoredSubscription, 'requests' | 'isActive'> | undefined,
  token: string,
  now: number,
): 'open' | 'confirmed' | 'expired' | 'unknown' {
  const request = stored && requestOfToken(stored, token);
  if (stored === undefined || request === undefined) return 'unknown';
  if (stored.isActive && request.confirmedAt !== undefined) return 'confirmed';
  return request.expiresAt > now ? 'open' : 'expired';
}
