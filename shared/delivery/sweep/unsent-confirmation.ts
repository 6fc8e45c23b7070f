import { decideSweep, type SweepDecision } from '../../domain/deliveries/sweep-decision.ts';
import { subscriptionOf } from '../../domain/deliveries/task.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import type { ResumeTools } from './resume-task.ts';

/**
 * Decides what to do with a new confirmation request. If the subscribe request stopped before the message was queued,
 * the message is sent regardless of the load of the queues. A queued confirmation gets the usual grace period. Returns
 * undefined for all other rows.
 */
export async function decideUnsent(
  row: DueRow,
  { subscriptions, now }: Pick<ResumeTools, 'subscriptions' | 'now'>,
): Promise<SweepDecision | undefined> {
  if (!row.isConfirmation) return undefined;
  const stored = await subscriptions.get(subscriptionOf(row.taskKey), now());
  const request = Object.values(stored?.requests ?? {}).find(({ messageId }) => messageId === row.messageId);
  if (request === undefined) return undefined;
  if (request.isUnsent) return decideSweep({ ...row, lanes: [], everyMs: graceMs, quickMs: graceMs });
  const forMs = request.requestedAt + graceMs - now();
  return forMs > 0 ? { is: 'postponed', forMs, wasPostponed: false } : undefined;
}
