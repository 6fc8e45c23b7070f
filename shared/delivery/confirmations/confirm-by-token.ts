import { slotsOf } from '../../domain/subscriptions/confirmation-requests.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { hashToken, subscriptionOfToken } from '../../domain/subscriptions/subscription-token.ts';
import type { limits } from '../../storage/limits/store.ts';
import type { subscriptions } from '../../storage/subscriptions/store.ts';

interface ConfirmTools {
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.confirm>;
  readonly limits: ReturnType<typeof limits.permissions.releaseSlot>;
  readonly now: () => number;
}

/**
 * Confirms the subscription that a token belongs to, and frees the limit slots that its requests have taken. Returns
 * undefined if the token is invalid. The subscription store explains `by`.
 */
export async function confirmByToken(
  token: string,
  { subscriptions, limits, now }: ConfirmTools,
  by?: string,
): Promise<StoredSubscription | undefined> {
  const uuid = subscriptionOfToken(token);
  const confirmed = uuid === undefined ? undefined : await subscriptions.confirm(uuid, hashToken(token), now(), by);
  if (confirmed !== undefined) await Promise.all(slotsOf(confirmed).map((slot) => limits.releaseSlot(slot)));
  return confirmed;
}
