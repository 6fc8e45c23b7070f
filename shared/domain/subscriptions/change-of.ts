import type { SubscriptionPatch } from '../../model/subscriptions/subscription-patch.ts';
import { defaultPolicy, type Policy } from './policy.ts';

/** What a subscriber may change: what is not named stays as it is. */
export type SubscriptionChange = Partial<Policy> & {
  readonly subjects?: readonly string[];
  readonly filteredSince?: number;
};

/** What a merge patch changes of a stored subscription now (epoch milliseconds): nothing of what it does not name. */
export const changeOf = ({ policy, subjects }: SubscriptionPatch, now: number): SubscriptionChange => ({
  ...(policy !== undefined && (policy ?? defaultPolicy)),
  ...(subjects !== undefined && { subjects: subjects ?? [], filteredSince: now }),
});
