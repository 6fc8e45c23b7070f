import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ownTaskPrefix } from '../../../shared/domain/deliveries/task-key.ts';
import type { World } from './world.ts';

/** What is neither done nor lost: the ledger, or a queue, has it. By message and subscription. */
export function waitingWork({
  dynamodb,
  sqs,
}: Pick<World, 'dynamodb' | 'sqs'>): (messageId: string, uuid: string) => boolean {
  const known = new Set<string>();
  for (const item of dynamodb.tables.table('deliveries').items()) {
    const key = item.taskKey?.S ?? '';
    if (!key.startsWith(ownTaskPrefix)) continue;
    const { messageId, state, owner } = unmarshall(item) as Record<string, string>;
    if (state !== 'delivered') known.add(`${messageId} ${owner ?? key.slice(ownTaskPrefix.length)}`);
  }
  for (const queue of sqs.queues.values()) {
    for (const { body } of queue.messages()) {
      const payload = JSON.parse(body);
      const task = payload.task ?? payload;
      for (const uuid of task.subscriptionUuids ?? []) known.add(`${task.content.messageId} ${uuid}`);
    }
  }
  return (messageId, uuid) => known.has(`${messageId} ${uuid}`);
}

/** The uuids of subscribers, by the numbers in their addresses. */
export function uuidsByNumber({ dynamodb }: Pick<World, 'dynamodb'>): Map<number, string> {
  const uuids = new Map<number, string>();
  for (const { address, uuid } of dynamodb.tables.table('subscriptions').items())
    uuids.set(Number(/(\d+)[.@]/.exec(address?.S ?? '')?.[1]), uuid?.S ?? '');
  return uuids;
}
