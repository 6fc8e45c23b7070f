import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SubscriptionChange } from '../../domain/subscriptions/change-of.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { key } from './rows.ts';

export const change = (client: DynamoDBClient, table: string) => ({
  /**
   * Changes a subscription that was seen active; answers it as it is then. Undefined where it is not that any more: paused,
   * somebody else's, or gone.
   */
  async change(seen: StoredSubscription, set: SubscriptionChange): Promise<StoredSubscription | undefined> {
    const { generation, createdAt, owner } = seen;
    const changed = await update(client, table, key(seen.uuid), {
      set,
      condition:
        '#isActive = :active AND #generation = :generation AND #createdAt = :createdAt AND ' +
        '(attribute_not_exists(#owner) OR #owner = :owner)',
      names: ['isActive', 'generation', 'createdAt', 'owner'],
      values: { active: true, generation, createdAt, owner },
      returns: 'ALL_NEW',
    });
    return changed.isDone ? fromItem(storedSubscription, changed.result.Attributes ?? {}) : undefined;
  },
});
