import { deliveryOutcome, failureOf } from '../../domain/deliveries/outcome.ts';
import { type DeliverySummary, maxWaitingShown } from '../../domain/subscriptions/show-subscription.ts';
import type { Failure } from '../../domain/subscriptions/subscription.ts';
import { type DynamoTable, fromItem, type Item, queryItems } from '../dynamo.ts';
import { countParked } from './parking.ts';
import { failedPrefix, waitingPrefix } from './rows.ts';
import { eventsOf } from './waiting-deliveries.ts';

// Read several failed deliveries, because the newest of them may have failed without an attempt.
const newestFailed = 20;

function failuresIn({ outcome }: Item): Failure[] {
  if (outcome?.M === undefined) return [];
  const stored = fromItem(deliveryOutcome, outcome.M);
  // A deferred (`split`) or successful attempt is not a failure.
  return stored.class === 'split' || stored.class === 'delivered' ? [] : [failureOf(stored)];
}

const newest = (table: DynamoTable, uuid: string, prefix: string, limit: number): Promise<Item[]> =>
  queryItems(table, {
    ...eventsOf(uuid, prefix),
    ProjectionExpression: 'outcome',
    ScanIndexForward: false,
    Limit: limit,
  });

export const readStatus = (table: DynamoTable) => ({
  /** Counts up to `maxWaitingShown` waiting deliveries of a subscription, and finds its latest failure. */
  async statusOf(uuid: string): Promise<Pick<DeliverySummary, 'waiting' | 'lastFailure'>> {
    const [waiting, failed, parked] = await Promise.all([
      newest(table, uuid, waitingPrefix, maxWaitingShown),
      newest(table, uuid, failedPrefix, newestFailed),
      countParked(table, uuid, maxWaitingShown),
    ]);
    const [lastFailure] = [...waiting, ...failed].flatMap(failuresIn).toSorted((a, b) => b.at - a.at);
    return { waiting: Math.min(waiting.length + parked, maxWaitingShown), lastFailure };
  },
});
