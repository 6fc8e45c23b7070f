import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { deliveryOutcome } from '../../domain/deliveries/outcome.ts';
import { type DeliverySummary, maxWaitingShown } from '../../domain/subscriptions/show-subscription.ts';
import type { Failure } from '../../domain/subscriptions/subscription.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { failedPrefix, waitingPrefix } from './rows.ts';

// The latest failure is rarely an older message.
const newestFailed = 20;

function failureOf({ outcome }: Item): Failure[] {
  if (outcome?.M === undefined) return [];
  const { class: kind, status, at } = fromItem(deliveryOutcome, outcome.M);
  // Deferred (`split`) and delivered messages have not failed.
  return kind === 'split' || kind === 'delivered' ? [] : [{ class: kind, status, at }];
}

export const readStatus = (client: DynamoDBClient, table: string) => {
  const newest = async (uuid: string, prefix: string, limit: number): Promise<Item[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'bySubscription',
        KeyConditionExpression: '#owner = :owner AND begins_with(#statusKey, :prefix)',
        FilterExpression: 'attribute_not_exists(#isConfirmation) OR #isConfirmation = :no',
        ProjectionExpression: '#outcome',
        ExpressionAttributeNames: {
          '#owner': 'owner',
          '#statusKey': 'statusKey',
          '#isConfirmation': 'isConfirmation',
          '#outcome': 'outcome',
        },
        ExpressionAttributeValues: toItem({ ':owner': uuid, ':prefix': prefix, ':no': false }),
        ScanIndexForward: false,
        Limit: limit,
      }),
    );
    return Items;
  };

  return {
    /** Counts a subscription's waiting deliveries, up to `maxWaitingShown`, and finds its latest failure. */
    async statusOf(uuid: string): Promise<Pick<DeliverySummary, 'waiting' | 'lastFailure'>> {
      const [waiting, failed] = await Promise.all([
        newest(uuid, waitingPrefix, maxWaitingShown),
        newest(uuid, failedPrefix, newestFailed),
      ]);
      const [lastFailure] = [...waiting, ...failed].flatMap(failureOf).toSorted((a, b) => b.at - a.at);
      return { waiting: waiting.length, lastFailure };
    },
  };
};
