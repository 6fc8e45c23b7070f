import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HealthChange } from '../../domain/deliveries/health.ts';
import { inParts } from '../../domain/in-parts.ts';
import { Fault } from '../../model/faults.ts';
import { type StoredSubscription, storedSubscription } from '../../model/subscriptions/subscription.ts';
import { fromItem, type Item } from '../dynamo.ts';
import { pauseAfter } from '../patience.ts';
import { update } from '../update.ts';
import { confirmationFailed } from './confirmation-failed.ts';
import { key, pausing } from './rows.ts';

/** Attempts end in any order: neither an old failure nor an old delivery outdoes a later one. */
function healthUpdate({ pause, ...set }: HealthChange) {
  if (pause !== undefined) {
    const paused = pausing(pause);
    const condition = set.failingSince === undefined ? [] : ['#failingSince = :set_failingSince'];
    return { ...paused, set: { ...set, ...paused.set }, condition };
  }
  if (set.failingSince !== undefined) {
    const isLatest = '(attribute_not_exists(#lastDeliveredAt) OR #lastDeliveredAt <= :set_failingSince)';
    return { set, condition: ['attribute_not_exists(#failingSince)', isLatest], names: ['lastDeliveredAt'] };
  }
  if (set.lastDeliveredAt === undefined) return { set, condition: [] };
  const isLatest = '(attribute_not_exists(#failingSince) OR #failingSince <= :set_lastDeliveredAt)';
  return { set, remove: ['failingSince'], condition: [isLatest] };
}

/** What DynamoDB leaves unread under load is asked for again, by the rule for what it refuses. */
async function pause(rounds: number, count: number): Promise<void> {
  const pauseMs = pauseAfter(rounds);
  if (pauseMs === undefined) throw new Fault('subscriptionsUnread', { count });
  await sleep(pauseMs);
}

export const deliver = (client: DynamoDBClient, table: string) => ({
  /** Those of the subscriptions that are still there, read consistently, up to 100 at once. */
  async getMany(uuids: readonly string[]): Promise<StoredSubscription[]> {
    const found: StoredSubscription[] = [];
    for (const some of inParts(uuids, 100)) {
      let keys: Item[] = some.map(key);
      for (let round = 0; keys.length > 0; round++) {
        if (round > 0) await pause(round, keys.length);
        const { Responses, UnprocessedKeys } = await client.send(
          new BatchGetItemCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
        );
        for (const item of Responses?.[table] ?? []) found.push(fromItem(storedSubscription, item));
        keys = UnprocessedKeys?.[table]?.Keys ?? [];
      }
    }
    return found;
  },
  /** Writes down a change of health, of a subscription that is active in the same generation of its topic. */
  async noteHealth({ uuid, generation }: StoredSubscription, change: HealthChange): Promise<void> {
    const { condition, names = [], ...rest } = healthUpdate(change);
    await update(client, table, key(uuid), {
      ...rest,
      condition: ['#generation = :generation', '#isActive = :active', ...condition].join(' AND '),
      names: ['generation', 'isActive', ...names],
      values: { generation, active: true },
    });
  },
  ...confirmationFailed(client, table),
});
