import { wantedFrom } from '../../domain/deliveries/delivery-history.ts';
import { deliveryExpiry } from '../../domain/deliveries/times.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { isoTime } from '../../domain/time.ts';
import type { Tools } from '../tools.ts';

/** After this delay, the index includes all messages that were published before the recovery started. */
const firstStepSeconds = 5;

/**
 * Starts redelivering the messages that a subscription has missed since the given time (epoch milliseconds). If `since`
 * is 0, the recovery starts at the subscription's first confirmation. If a recovery is in progress, this function
 * extends it. Returns the range (RFC 3339).
 */
export async function startRecovery(
  subscription: StoredSubscription,
  since: number,
  { deliveries, queues, now, newId, settings }: Tools<'deliveries:startRecovery' | 'queues:fanOut', 'deliveryDays'>,
): Promise<{ readonly since: string; readonly until: string }> {
  const { uuid } = subscription;
  const until = now();
  const from = Math.max(since, wantedFrom(subscription, until, settings.deliveryDays) ?? until);
  const asked = { since: isoTime(Math.min(from, until)), until: isoTime(until), stepId: newId() };
  const expiresAt = deliveryExpiry(until, settings.deliveryDays);
  const { recovery, isBegun } = await deliveries.startRecovery(uuid, asked, until, expiresAt);
  if (isBegun) {
    // If the queue loses the payload, the sweeper sends the payload again.
    const payload = { recoveryOf: uuid, stepId: recovery.stepId };
    await queues.fanOut.send({ payload, group: uuid, delaySeconds: firstStepSeconds });
  }
  return { since: recovery.since, until: recovery.until };
}
