import { slotsOf } from '../../domain/subscriptions/confirmation-requests.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { hashToken, subscriptionOfToken } from '../../domain/subscriptions/subscription-token.ts';
import type { limits } from '../../storage/limits/limits.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';

interface ConfirmTools {
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.confirm>;
  readonly limits: ReturnType<typeof limits.permissions.free>;
  readonly now: () => number;
}

/**
 * Confirms the subscription that a token is of, and gives back the places that its requests held among the unconfirmed ones.
 * Undefined when the token confirms none; `by` as the store's `confirm` has it.
 */
export async function confirmByToken(
  token: string,
  { subscriptions, limits, now }: ConfirmTools,
  by?: string,
): Promise<StoredSubscription | undefined> {
  const uuid = subscriptionOfToken(token);
  const confirmed = uuid === undefined ? undefined : await subscriptions.confirm(uuid, hashToken(token), now(), by);
  if (confirmed !== undefined) await Promise.all(slotsOf(confirmed).map((slot) => limits.free(slot)));
  return confirmed;
}
