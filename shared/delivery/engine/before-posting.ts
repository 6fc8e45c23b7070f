import { withinInvocation } from '../../lambda/time-left.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Lease } from '../../storage/deliveries/lease.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { idsOf } from './ids-of.ts';

/** Whether an attempt that begins now can still be recorded, whatever the receiver does. */
export const canPost = ({ timeLeftMs, attemptMs }: DeliveryContext): boolean => timeLeftMs() >= attemptMs;

/** What comes before a POST: `late` where it could not be done while there was time for an attempt. */
type Prepared<Result> = { readonly isLate: false; readonly result: Result } | { readonly isLate: true };

/**
 * Does what comes before a POST (reading, claiming), for as long as an attempt could follow it: DynamoDB may throttle, and a
 * POST that cannot be recorded is made twice. What fails while there is time is a fault like any other.
 */
export async function prepare<Result>(context: DeliveryContext, run: () => Promise<Result>): Promise<Prepared<Result>> {
  if (!canPost(context)) return { isLate: true };
  try {
    const result = await withinInvocation(() => context.timeLeftMs() - context.attemptMs, run);
    return { isLate: false, result };
  } catch (error) {
    // The waiting ends a little before the time that it is given.
    if (context.timeLeftMs() - context.attemptMs > waitMarginMs) throw error;
    return { isLate: true };
  }
}

// A pause at its longest, and what the waiting itself leaves over.
const waitMarginMs = 1500;

/**
 * Puts off a task that could not be begun: it goes through the retry queue back to its lane, a new message, so that
 * nothing counts against it as a fault would. For longer each time: while DynamoDB is down, all tasks of all topics come back.
 */
export async function putOff(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const { putOffs = 0 } = task;
  const times = 2 ** Math.min(mostDoublings, putOffs);
  const delaySeconds = Math.ceil((leastSeconds + context.jitter() * spreadSeconds) * times);
  const payload = { notBefore: context.now() + delaySeconds * 1000, task: { ...task, putOffs: putOffs + 1 } };
  await context.retry.sendMany([{ group: task.subscriptionUuids[0] ?? task.taskKey, payload, delaySeconds }]);
}

/** Gives back a claim that was won too late for a POST. Where that cannot be written either, the lease runs out. */
export async function giveBack(task: DeliveryTask, lease: Lease, context: DeliveryContext): Promise<void> {
  await context.ledger.release(idsOf(task), lease).catch(() => {});
  await putOff(task, context);
}

const leastSeconds = 5;
const spreadSeconds = 15;
const mostDoublings = 4;
