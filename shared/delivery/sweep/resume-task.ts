import { laneOf } from '../../domain/deliveries/channels.ts';
import { subscriptionOf } from '../../domain/deliveries/task.ts';
import { awaitsConfirmation, newRequest } from '../../domain/subscriptions/confirmation-requests.ts';
import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import type { Protocol } from '../../domain/subscriptions/subscription.ts';
import { composeToken, hashToken } from '../../domain/subscriptions/subscription-token.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import { sendSingle } from '../recovery/redeliver-one.ts';
import type { SweepTools } from './sweep-tools.ts';

/**
 * Sends a lost confirmation again, with a new token, because tokens are not stored. The attempts of the lost
 * confirmation still count, so that the address does not receive more requests than usual.
 */
async function renewConfirmation(row: DueRow, tools: SweepTools): Promise<'ended' | 'asked'> {
  const { subscriptions, now, newId, randomBytes } = tools;
  const uuid = subscriptionOf(row.taskKey);
  const stored = await subscriptions.get(uuid, now());
  const lost = Object.values(stored?.requests ?? {}).find(({ messageId }) => messageId === row.messageId);
  if (stored === undefined || lost === undefined || !awaitsConfirmation(stored, lost, now())) {
    await tools.deliveries.dropDue(row, now());
    return 'ended';
  }
  const token = composeToken(uuid, randomBytes(32));
  const request = { ...newRequest(lost, newId(), now()), ...(lost.hostSlot && { hostSlot: lost.hostSlot }) };
  const attempt = row.attempt - row.base + (row.state === 'leased' ? 0 : 1);
  const task = { ...confirmationTask(stored, token, request), attempt };
  // Write the row of the new request first, because the new request may replace the lost request. The sweeper deletes a
  // row that has no request.
  await tools.deliveries.openSingle(task, now(), Math.floor(request.expiresAt / 1000), row.resumes + 1);
  const isAsked = await subscriptions.addRequest(stored, hashToken(token), request);
  if (isAsked) await tools.queues[laneOf(stored.protocol, 'confirmations')].send({ payload: task, group: uuid });
  // Delete the old row last, so that the row stays due if the process stops earlier.
  await tools.deliveries.dropDue(row, now());
  return isAsked ? 'asked' : 'ended';
}

/** Resumes a retry whose timer was lost, or an attempt whose worker stopped. */
export async function resumeTask(
  row: DueRow & { protocol: Protocol },
  tools: SweepTools,
): Promise<'resumed' | 'asked' | 'ended'> {
  if (row.isConfirmation) return renewConfirmation(row, tools);
  const message = await tools.deliveries.getMessage(row.messageId);
  if (message === undefined) {
    const uuid = subscriptionOf(row.taskKey);
    // Do not report a failure if the subscription was deleted.
    if (await tools.subscriptions.get(uuid, tools.now())) tools.onFailed(row.messageId, uuid, { class: 'expired' });
    await tools.deliveries.dropDue(row, tools.now());
    return 'ended';
  }
  const attempt = row.state === 'leased' ? row.attempt : row.attempt + 1;
  await sendSingle(message, row, attempt, tools);
  return 'resumed';
}
