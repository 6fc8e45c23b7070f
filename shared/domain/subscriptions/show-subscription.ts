import { formatPolicy } from './policy.ts';
import type { StoredSubscription, Subscription } from './subscription.ts';

/**
 * A subscription as callers see it (OSIA notification 1.2.0): the topic by its name, the policy in its normal form, and its
 * filter where it has one.
 */
export const showSubscription = (stored: StoredSubscription): Subscription => ({
  uuid: stored.uuid,
  topic: stored.topicName,
  protocol: stored.protocol,
  address: stored.address,
  policy: formatPolicy(stored),
  active: stored.isActive,
  ...(stored.subjects.length > 0 && { subjects: stored.subjects }),
});
