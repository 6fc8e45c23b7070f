import type { Content } from '../../domain/deliveries/message.ts';
import { clockMs } from '../../domain/deliveries/times.ts';
import { isToBeAsked, requestOfToken } from '../../domain/subscriptions/confirmation-state.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { Fault } from '../../model/faults.ts';
import type { DeliveryContext } from '../delivery-context.ts';

/** Those of the task's subscriptions that still want it, those that a notification finds paused, and its body. */
export async function readTask(task: DeliveryTask, context: DeliveryContext) {
  const present = await context.subscriptions.getMany(task.subscriptionUuids);
  const now = context.now();
  const due = present.filter((subscription) => isDue(task.content, subscription, now));
  const paused = present.filter((subscription) => isPaused(task.content, subscription));
  // Where nobody is due it is not asked for: it may be gone by then.
  const body = due.length === 0 ? '' : await bodyOf(task.content, context);
  return { due, paused, body };
}

async function bodyOf(content: Content, context: DeliveryContext): Promise<string> {
  if (content.type === 'SubscriptionConfirmation') return '';
  const body = content.bodyBase64 ?? (await keptBody(content, context));
  if (body === undefined) throw new Fault('missingBody', { messageId: content.messageId });
  return body;
}

const keptBody = async ({ bodyKey }: { bodyKey?: string | undefined }, { bodyOf }: DeliveryContext) =>
  bodyKey === undefined ? undefined : bodyOf(bodyKey);

/**
 * Whether it wants the message and was there when it was published: an address may have left and come back, a topic too, and
 * a filter may have changed.
 */
function isMeant(content: Content & { type: 'Notification' }, subscription: StoredSubscription): boolean {
  const { generation, createdAt, activeSince = createdAt } = subscription;
  // Two clocks may say that it was active before it was there: an audit goes by the one, so that it would send the other again.
  const since = Math.min(createdAt, activeSince);
  const isSame = generation === content.generation && since <= Date.parse(content.timestamp) + clockMs;
  return isSame && (content.isTest || wantsEvent(subscription, content));
}

function isPaused(content: Content, subscription: StoredSubscription): boolean {
  if (content.type !== 'Notification' || content.isTest) return false;
  return subscription.pausedReason !== undefined && isMeant(content, subscription);
}

/** A confirmation is due while its address is to be asked; a notification while the same subscription is active. */
function isDue(content: Content, subscription: StoredSubscription, now: number): boolean {
  if (content.type === 'Notification') {
    return subscription.isActive && isMeant(content, subscription);
  }
  const request = requestOfToken(subscription, content.token);
  return request !== undefined && isToBeAsked(subscription, request, now);
}
