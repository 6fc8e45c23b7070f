import { dayMs } from '../time.ts';

export const clockMs = 5000;

/**
 * A queued message that is more than five minutes late counts as lost, because queues rarely delay messages by more
 * than a few minutes.
 */
export const graceMs = 5 * 60 * 1000;

/**
 * The time after which the sweeper checks that a confirmation request was queued. The check ensures that a lost
 * confirmation request is sent at most two minutes late.
 */
export const unsentAfterMs = 60 * 1000;

export const reconcileAfterMs = 10 * 60 * 1000;

/**
 * Returns the time at which rows written at `now` (epoch milliseconds) expire. The result is in epoch seconds, for
 * DynamoDB's TTL.
 */
export const deliveryExpiry = (now: number, deliveryDays: number): number =>
  Math.floor((now + deliveryDays * dayMs) / 1000);

/**
 * Timeouts in seconds that prevent work from being lost or repeated. First Lambda stops the function, then the lease
 * expires, and finally the queue makes the task visible again.
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

/** The settings from which the timeouts of the delivery functions are derived. */
export interface TimingSettings {
  readonly receiverTimeoutSeconds: number;
  readonly emailsPerSecond: number;
}

export interface DeliveryTimes extends WorkTimes {
  readonly attemptSeconds: number;
}

/** The number of seconds reserved for recording an attempt. A throttled table may reject writes for many seconds. */
export const recordSeconds = 20;

/**
 * Returns the timeouts of a worker whose attempts take up to `receiverTimeoutSeconds`. The worker has another 10 s for
 * reads and the lease, and `recordSeconds` to record the attempt.
 */
export const receiverTimes = (settings: Pick<TimingSettings, 'receiverTimeoutSeconds'>): DeliveryTimes => ({
  ...workTimes(settings.receiverTimeoutSeconds + 10 + recordSeconds),
  attemptSeconds: settings.receiverTimeoutSeconds,
});
