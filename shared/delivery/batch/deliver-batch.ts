import type { KeptResponse } from '../../domain/deliveries/kept-response.ts';
import type { DeliveryOutcome } from '../../domain/deliveries/outcome.ts';
import { maxBatchAttempts } from '../../domain/deliveries/shards.ts';
import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { Outcomes } from '../../storage/deliveries/single-deliveries.ts';
import { runAfterEffects, sendSingles } from '../after-effects.ts';
import { attempt, hasTimeToAttempt, messageComposer, prepare, releaseTask, reportAttempts } from '../attempt.ts';
import { type DeliveryContext, leaseFrom } from '../delivery-context.ts';
import { busyError, readTask, taskIdOf } from '../read-task.ts';

const deferred = (at: number): DeliveryOutcome => ({ class: 'split', at, next: 'retry', notBefore: at });

/**
 * Delivers a batch: sends the message to at most `maxBatchAttempts` subscriptions at once and records all outcomes
 * together. Subscriptions beyond `maxBatchAttempts` become single deliveries.
 * @throws the first internal error, if internal errors prevented every attempt
 */
export async function deliverBatch(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const prepared = await prepare(task, context, async () => {
    const { due, paused, body } = await readTask(task, context);
    const lease = leaseFrom(context);
    const wanting = [...due, ...paused];
    const claim = wanting.length === 0 ? undefined : await context.deliveries.acquire(taskIdOf(task), lease);
    return { due, wanting, body, lease, claim };
  });
  if (prepared === undefined) return;
  const { due, wanting, body, lease, claim } = prepared;
  if (claim === undefined) return;
  if (claim.is === 'busy') throw busyError(task);
  if (claim.is === 'done') {
    if (!claim.hasRunAfterEffects) await runAfterEffects(task, due, claim.outcomes, context);
    return deliverLate(task, wanting, claim.outcomes, context);
  }

  if (!hasTimeToAttempt(context)) return releaseTask(task, lease, context);

  const messageTo = messageComposer(task, body, context);
  const together = wanting.slice(0, maxBatchAttempts);
  const thrown: unknown[] = [];
  const responses: Record<string, KeptResponse> = {};
  let made = 0;
  const attempts = together.map(async (subscription): Promise<readonly [string, DeliveryOutcome]> => {
    // A failing receiver must not delay other receivers. For a paused subscription, a single delivery records the
    // failure, so that an operator can redeliver the message.
    if (subscription.isFailing || !subscription.isActive) return [subscription.uuid, deferred(context.now())];
    try {
      const { outcome, response } = await attempt(task, messageTo(subscription), { base: 0 }, subscription, context);
      made += 1;
      if (response !== undefined) responses[subscription.uuid] = response;
      return [subscription.uuid, outcome];
    } catch (error) {
      thrown.push(error);
      // An internal error with one subscription must not affect the rest of the batch. If this subscription gets a
      // single delivery, the batch does not go to the dead-letter queue.
      return [subscription.uuid, deferred(context.now())];
    }
  });
  const outcomes = Object.fromEntries(await Promise.all(attempts));
  if (made === 0 && thrown.length > 0) {
    // No attempt was made, so the error probably affects all subscriptions (for example, if the signing keys are
    // unreadable). The whole task returns to the queue unchanged.
    await context.deliveries.release(taskIdOf(task), lease).catch(() => {});
    throw thrown[0];
  }
  const recording = context.deliveries.record(taskIdOf(task), lease, outcomes, responses);
  const isRecorded = await recording.finally(() => reportAttempts(task, outcomes, context));
  if (!isRecorded) return;
  await runAfterEffects(task, due, outcomes, context, lease);
  await deliverLate(task, wanting, outcomes, context);
}

/**
 * Creates single deliveries for subscriptions that have no outcome in the recorded batch: subscriptions beyond
 * `maxBatchAttempts`, and subscriptions that a later fan-out found.
 */
async function deliverLate(
  task: DeliveryTask,
  wanting: readonly StoredSubscription[],
  recorded: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const missing = wanting.filter(({ uuid }) => !Object.hasOwn(recorded, uuid));
  let known = Object.keys(recorded).length;
  for (const some of inParts(missing, maxBatchAttempts)) {
    const lease = leaseFrom(context);
    const late = Object.fromEntries(some.map(({ uuid }) => [uuid, deferred(lease.now)]));
    await context.deliveries.openLateSingles(taskIdOf(task), lease, late);
    await sendSingles(task, Object.keys(late), context);
    // If sending to the queue fails, no outcome is recorded, so the repeated task sends these deliveries again.
    await context.deliveries.addOutcomes(taskIdOf(task), late, known);
    known += some.length;
  }
}
