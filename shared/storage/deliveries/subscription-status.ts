import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Deliveries } from '../../domain/subscriptions/show-status.ts';
import type { Failure } from '../../domain/subscriptions/subscription.ts';
import { ledgerOutcome } from '../../model/deliveries/outcome.ts';
import { mostWaiting } from '../../model/subscriptions/status.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { failedPrefix, waitingPrefix } from './rows.ts';

// The last to fail is seldom of an older message.
const newestFailed = 20;

function failureOf({ outcome }: Item): Failure[] {
  if (outcome?.M === undefined) return [];
  const { class: kind, status, at } = fromItem(ledgerOutcome, outcome.M);
  // Tried in a task of its own instead, or not at all.
  return kind === 'split' || kind === 'delivered' ? [] : [{ class: kind, status, at }];
}

export const show = (client: DynamoDBClient, table: string) => {
  const newest = async (uuid: string, prefix: string, limit: number): Promise<Item[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'bySubscription',
        KeyConditionExpression: '#owner = :owner AND begins_with(#standing, :prefix)',
        FilterExpression: 'attribute_not_exists(#isConfirmation) OR #isConfirmation = :no',
        ProjectionExpression: '#outcome',
        ExpressionAttributeNames: {
          '#owner': 'owner',
          '#standing': 'standing',
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
    /** How many deliveries of a subscription wait, of the newest `mostWaiting`, and its latest failure. Two reads. */
    async standingOf(uuid: string): Promise<Pick<Deliveries, 'waiting' | 'lastFailure'>> {
      const [waiting, failed] = await Promise.all([
        newest(uuid, waitingPrefix, mostWaiting),
        newest(uuid, failedPrefix, newestFailed),
      ]);
      const [lastFailure] = [...waiting, ...failed].flatMap(failureOf).toSorted((a, b) => b.at - a.at);
      return { waiting: waiting.length, lastFailure };
    },
  };
};
