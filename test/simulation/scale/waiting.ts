import { unmarshall } from '@aws-sdk/util-dynamodb';
import { singleTaskPrefix } from '../../../shared/domain/deliveries/task.ts';
import type { World } from './world.ts';

/** Returns a function that checks whether a delivery is still pending in the deliveries table or in a queue. */
export function waitingWork({
  dynamodb,
  sqs,
}: Pick<World, 'dynamodb' | 'sqs'>): (messageId: string, uuid: string) => boolean {
  const pending = new Set<string>();
  for (const item of dynamodb.tables.table('deliveries').items()) {
    const key = item.taskKey?.S ?? '';
    if (!key.startsWith(singleTaskPrefix)) continue;
    const { messageId, state, owner } = unmarshall(item) as Record<string, string>;
    if (state !== 'delivered') pending.add(`${messageId} ${owner ?? key.slice(singleTaskPrefix.length)}`);
  }
  for (const queue of sqs.queues.values()) {
    for (const { body } of queue.messages()) {
      const payload = JSON.parse(body);
      const task = payload.task ?? payload;
      for (const uuid of task.subscriptionUuids ?? []) pending.add(`${task.content.messageId} ${uuid}`);
    }
  }
  return (messageId, uuid) => pending.has(`${messageId} ${uuid}`);
}

/** Returns the UUIDs of subscriptions, keyed by the subscriber's number in the address. */
export function uuidsByNumber({ dynamodb }: Pick<World, 'dynamodb'>): Map<number, string> {
  const uuids = new Map<number, string>();
  for (const { address, uuid } of dynamodb.tables.table('subscriptions').items())
    uuids.set(Number(/(\d+)[.@]/.exec(address?.S ?? '')?.[1]), uuid?.S ?? '');
  return uuids;
}
