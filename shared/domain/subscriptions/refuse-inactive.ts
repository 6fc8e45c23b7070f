import { Refusal } from '../../model/refusals.ts';
import type { StoredSubscription } from './subscription.ts';

/** @throws Refusal `notActive` for a subscription that waits to be confirmed, or is paused */
export function refuseInactive({ isActive, pausedReason }: StoredSubscription): void {
  if (isActive) return;
  const why = pausedReason === undefined ? 'waits to be confirmed' : `is paused (${pausedReason})`;
  throw new Refusal('notActive', `the subscription ${why}: subscribe again as it shall be, and confirm that`);
}
