import { dayMs } from '../day-ms.ts';

/** How far the clocks of two functions may be apart. */
export const clockMs = 5000;

/** How long after its time a timer counts as lost. Queues are minutes late at the worst. */
export const graceMs = 5 * 60 * 1000;

/** How long after its publication a message is audited: has every subscription its outcome? */
export const auditMs = 10 * 60 * 1000;

/** Until when the ledger keeps what it learns at `now` (epoch milliseconds): epoch seconds, as DynamoDB's TTL reads them. */
export const ledgerExpiry = (now: number, ledgerDays: number): number => Math.floor((now + ledgerDays * dayMs) / 1000);

/**
 * The three times that keep a crash from losing or doubling work, each longer than the one before: the function is
 * stopped, then its claim on a task runs out, then the queue shows the task again. Seconds.
 */
export interface WorkTimes {
  readonly functionSeconds: number;
  readonly leaseSeconds: number;
  readonly visibilitySeconds: number;
}

/** The three times of a worker whose function may run for `functionSeconds`. */
export function workTimes(functionSeconds: number): WorkTimes {
  const leaseSeconds = functionSeconds + 5;
  return { functionSeconds, leaseSeconds, visibilitySeconds: leaseSeconds + 5 };
}

/** The times of a worker that waits for nobody outside. */
export const quickTimes: WorkTimes = { functionSeconds: 30, leaseSeconds: 30, visibilitySeconds: 60 };

/** The times of a worker that delivers; an attempt takes at most `attemptSeconds`. */
export interface DeliveryTimes extends WorkTimes {
  readonly attemptSeconds: number;
}

/** What is kept free after an attempt, so that it can be recorded although DynamoDB throttles for a while. */
export const recordSeconds = 5;

/**
 * The times of a worker whose attempts take as long as a receiver may: five seconds to read and claim before them, and five to
 * record.
 */
export const receiverTimes = ({
  receiverTimeoutSeconds,
}: {
  readonly receiverTimeoutSeconds: number;
}): DeliveryTimes => ({
  ...workTimes(receiverTimeoutSeconds + 5 + recordSeconds),
  attemptSeconds: receiverTimeoutSeconds,
});
