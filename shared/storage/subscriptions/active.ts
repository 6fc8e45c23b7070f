import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ActiveSubscription } from '../../domain/deliveries/shards.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';
import { queryPages, toItem } from '../dynamo.ts';
import { topicGeneration } from './rows.ts';

export const listActive = (client: DynamoDBClient, table: string) => ({
  /**
   * Lists the active subscriptions of one topic generation whose uuids are between `first` and `last`, in ascending
   * order. A page has at most 1 MB and at most `pageSize` rows.
   */
  async *listActive(
    topic: { topicUuid: string; generation: string },
    { first, last }: { first: string; last: string },
    pageSize?: number,
  ): AsyncGenerator<ActiveSubscription[]> {
    const query = {
      TableName: table,
      IndexName: 'activeByTopic',
      ProjectionExpression: '#uuid, protocol, activeSince, subjects',
      KeyConditionExpression: 'activeTopic = :generation AND #uuid BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#uuid': 'uuid' },
      ExpressionAttributeValues: toItem({ ':generation': topicGeneration(topic), ':first': first, ':last': last }),
    };
    for await (const items of queryPages(client, query, { pageSize })) {
      yield items.map((item) => {
        const protocol = protocols.find((one) => one === item.protocol?.S);
        const uuid = item.uuid?.S;
        if (protocol === undefined || uuid === undefined)
          throw new InternalError('incompleteIndex', { index: 'activeByTopic', topic: topic.topicUuid });
        const subjects = (item.subjects?.L ?? []).flatMap(({ S }) => S ?? []);
        return { uuid, protocol, activeSince: Number(item.activeSince?.N ?? 0), subjects };
      });
    }
  },
});
