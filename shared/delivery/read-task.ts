import type { Content } from '../domain/deliveries/message.ts';
import { rowShardOfSubscription } from '../domain/deliveries/shards.ts';
import { Busy, type DeliveryTask } from '../domain/deliveries/task.ts';
import { clockMs } from '../domain/deliveries/times.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { awaitsConfirmation, requestOfToken } from '../domain/subscriptions/confirmation-requests.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../domain/subscriptions/wants-event.ts';
import type { TaskId } from '../storage/deliveries/rows.ts';
import type { DeliveryContext } from './delivery-context.ts';

export const taskIdOf = (task: DeliveryTask): TaskId => ({
  messageId: task.content.messageId,
  publishedAt: task.content.timestamp,
  // All subscriptions of a task have the same row shard.
  rowShard: rowShardOfSubscription(task.subscriptionUuids[0] ?? '0', task.shardBits),
  taskKey: task.taskKey,
  attempt: task.attempt,
  protocol: task.protocol,
  isConfirmation: task.content.type === 'SubscriptionConfirmation',
  isProbe: task.isProbe,
});

export const busyError = ({ taskKey, content }: DeliveryTask): Busy =>
  new Busy(`${content.messageId} ${taskKey} is being delivered`);

/** Reads the body of a task's message, the subscriptions that still want the message, and the paused subscriptions. */
export async function readTask(task: DeliveryTask, context: DeliveryContext) {
  const present = await context.subscriptions.getMany(task.subscriptionUuids);
  const now = context.now();
  const due = present.filter((subscription) => isDue(task.content, subscription, now));
  const paused = present.filter((subscription) => isPaused(task.content, subscription));
  // Do not read the body if no subscription still wants the message, because the body may have expired.
  const body = due.length === 0 ? '' : await bodyOf(task.content, context);
  return { due, paused, body };
}

async function bodyOf(content: Content, context: DeliveryContext): Promise<string> {
  if (content.type === 'SubscriptionConfirmation') return '';
  const { bodyKey, bodyBase64 } = content;
  const body = bodyBase64 ?? (bodyKey && (await context.messages.getBody(bodyKey)));
  if (body === undefined) throw new InternalError('missingBody', { messageId: content.messageId });
  return body;
}

/**
 * Returns whether the subscription existed at publication and still wants the message. The subscription's address,
 * topic or filter may have changed since publication.
 */
function isAddressedTo(content: Content & { type: 'Notification' }, subscription: StoredSubscription): boolean {
  const { generation, createdAt, activeSince = createdAt } = subscription;
  // Use the earlier time, because different clocks set `createdAt` and `activeSince`. A reconciliation uses only
  // `activeSince`.
  const since = Math.min(createdAt, activeSince);
  const isSame = generation === content.generation && since <= Date.parse(content.timestamp) + clockMs;
  return isSame && (content.isTest || wantsEvent(subscription, content));
}

function isPaused(content: Content, subscription: StoredSubscription): boolean {
  if (content.type !== 'Notification' || content.isTest) return false;
  return subscription.pausedReason !== undefined && isAddressedTo(content, subscription);
}

/** For a confirmation, returns whether its request is open; for a notification, whether the subscription is active. */
function isDue(content: Content, subscription: StoredSubscription, now: number): boolean {
  if (content.type === 'Notification') {
    return subscription.isActive && isAddressedTo(content, subscription);
  }
  const request = requestOfToken(subscription, content.token);
  return request !== undefined && awaitsConfirmation(subscription, request, now);
}
