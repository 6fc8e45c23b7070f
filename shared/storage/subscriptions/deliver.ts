import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HealthChange } from '../../domain/deliveries/health.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { batchGet } from '../batch-get.ts';
import { fromItem } from '../dynamo.ts';
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

export const deliver = (client: DynamoDBClient, table: string) => ({
  /** Those of the subscriptions that are still there, read consistently, 100 a request. */
  async getMany(uuids: readonly string[]): Promise<StoredSubscription[]> {
    const found = await batchGet(client, table, uuids.map(key), { ConsistentRead: true });
    return found.map((item) => fromItem(storedSubscription, item));
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
