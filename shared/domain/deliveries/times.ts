import { dayMs } from '../time.ts';

export const clockMs = 5000;

/** A timer that is this late counts as lost. Messages wait in queues for at most a few minutes longer than planned. */
export const graceMs = 5 * 60 * 1000;

/** When the sweeper first checks that a confirmation was queued, so that it is sent at most two minutes late. */
export const unsentAfterMs = 60 * 1000;

export const reconcileAfterMs = 10 * 60 * 1000;

/** Returns when rows written at `now` (epoch milliseconds) expire, in epoch seconds for DynamoDB's TTL. */
export const deliveryExpiry = (now: number, deliveryDays: number): number =>
  Math.floor((now + deliveryDays * dayMs) / 1000);

/**
 * Timeouts in seconds that prevent lost and repeated work. From the shortest to the longest: Lambda stops the function, the lease expires,
 * and the queue shows the task again.
 */
export interface WorkTimes {
  readonly functionSeconds: number;
  readonly leaseSeconds: number;
  readonly visibilitySeconds: number;
}

export function workTimes(functionSeconds: number): WorkTimes {
  const leaseSeconds = functionSeconds + 5;
  return { functionSeconds, leaseSeconds, visibilitySeconds: leaseSeconds + 5 };
}

export const quickTimes: WorkTimes = { functionSeconds: 30, leaseSeconds: 30, visibilitySeconds: 60 };

export interface DeliveryTimes extends WorkTimes {
  readonly attemptSeconds: number;
}

/** The time reserved to record an attempt, because a throttled table may reject the record for many seconds. */
export const recordSeconds = 20;

/**
 * Returns the timeouts of a worker whose attempts take up to `receiverTimeoutSeconds`, plus 10 s for reads and the
 * lease, and `recordSeconds`.
 */
export const receiverTimes = ({
  receiverTimeoutSeconds,
}: {
  readonly receiverTimeoutSeconds: number;
}): DeliveryTimes => ({
  ...workTimes(receiverTimeoutSeconds + 10 + recordSeconds),
  attemptSeconds: receiverTimeoutSeconds,
});
