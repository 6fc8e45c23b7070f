import { type LaneQueue, laneOf } from '../../domain/deliveries/channels.ts';
import { ownTask } from '../../domain/deliveries/own-task.ts';
import { subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { referredContent } from '../../domain/messages/refer.ts';
import { newRequest } from '../../domain/subscriptions/confirmation-requests.ts';
import { isToBeAsked } from '../../domain/subscriptions/confirmation-state.ts';
import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import type { Protocol } from '../../domain/subscriptions/subscription.ts';
import { composeToken, hashToken } from '../../domain/subscriptions/subscription-token.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { DueRow, MessageRow } from '../../storage/deliveries/row-schemas.ts';
import type { Queue } from '../../storage/queues/store.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';
import { publicationOf } from '../engine/publication-of.ts';

/** What it takes to send a subscription's own task again. */
export interface ResumeTools {
  readonly ledger: ReturnType<typeof ledger.permissions.sweep>;
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.sweep>;
  readonly queues: Readonly<Record<LaneQueue<'later' | 'confirmations'>, Pick<Queue<DeliveryTask>, 'send'>>>;
  /** Hears of a delivery whose message the ledger has forgotten: it has failed for good. */
  readonly onFailed: (messageId: string, subscriptionUuid: string, outcome: { readonly class: 'expired' }) => void;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** The task of a subscription's own row, for an attempt at what the ledger holds of the message. */
export function resumedTask(
  message: MessageRow,
  { taskKey, protocol }: { taskKey: string; protocol: Protocol },
  attempt: number,
): DeliveryTask {
  const content = referredContent(publicationOf(message).notification);
  return ownTask({ protocol, content, bits: message.bits ?? 0 }, subscriptionOf(taskKey), attempt);
}

/**
 * A confirmation whose timer was lost: its token is stored nowhere, so the address is sent another, for the same request.
 * Its attempts are counted on, so that no address is asked more often for it.
 */
async function askAgain(row: DueRow, tools: ResumeTools): Promise<'ended' | 'asked'> {
  const { subscriptions, now, newId, randomBytes } = tools;
  const uuid = subscriptionOf(row.taskKey);
  const stored = await subscriptions.get(uuid, now());
  const lost = Object.values(stored?.requests ?? {}).find(({ messageId }) => messageId === row.messageId);
  if (stored === undefined || lost === undefined || lost.hasFailed || !isToBeAsked(stored, lost, now())) {
    await tools.ledger.end(row);
    return 'ended';
  }
  const token = composeToken(uuid, randomBytes(32));
  const request = newRequest(lost, newId(), now());
  const isAsked = await subscriptions.addRequest(stored, hashToken(token), request);
  if (isAsked) {
    const attempt = row.attempt - row.base + (row.state === 'claimed' ? 0 : 1);
    const task = { ...confirmationTask(stored, token, request), attempt };
    await tools.queues[laneOf(stored.protocol, 'confirmations')].send({ payload: task, group: uuid });
    await tools.ledger.openOwn(task, now(), Math.floor(request.expiresAt / 1000), row.resumes + 1);
  }
  // At last: where we die before it, the row stays due and the address is asked once more.
  await tools.ledger.end(row);
  return isAsked ? 'asked' : 'ended';
}

/** A retry whose timer was lost, or an attempt whose worker died and whose task the queue lost. */
export async function resume(
  row: DueRow & { protocol: Protocol },
  tools: ResumeTools,
): Promise<'resumed' | 'asked' | 'ended'> {
  if (row.isConfirmation) return askAgain(row, tools);
  const message = await tools.ledger.message(row.messageId);
  if (message === undefined) {
    const uuid = subscriptionOf(row.taskKey);
    // Whoever has left misses nothing.
    if (await tools.subscriptions.get(uuid, tools.now())) tools.onFailed(row.messageId, uuid, { class: 'expired' });
    await tools.ledger.end(row);
    return 'ended';
  }
  const attempt = row.state === 'claimed' ? row.attempt : row.attempt + 1;
  const payload = resumedTask(message, row, attempt);
  await tools.queues[laneOf(row.protocol, 'later')].send({ payload, group: subscriptionOf(row.taskKey) });
  return 'resumed';
}
