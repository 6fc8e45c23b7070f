import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { Place } from '../../domain/deliveries/log-place.ts';
import { type Item, toItem } from '../dynamo.ts';
import { known } from './known.ts';
import { publicationRowKey } from './rows.ts';

/** The messages of a generation of a topic that were published from one time to another (RFC 3339, both included). */
export interface Span {
  readonly generation: string;
  readonly from: string;
  readonly to: string;
  readonly order: 'newest first' | 'oldest first';
}

export const log = (client: DynamoDBClient, table: string) => ({
  ...known(client, table),

  /** `limit` of a topic's messages after a place among them, or as many as there are. The index follows within moments. */
  async published({ generation, from, to, order }: Span, limit: number, after?: Place): Promise<Place[]> {
    const startingToken = after && {
      ...toItem({ generation, timestamp: after.timestamp }),
      ...publicationRowKey(after.messageId),
    };
    const pages = paginateQuery(
      { client, pageSize: limit, ...(startingToken && { startingToken }) },
      {
        TableName: table,
        IndexName: 'byTopic',
        KeyConditionExpression: 'generation = :generation AND #timestamp BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#timestamp': 'timestamp' },
        ExpressionAttributeValues: toItem({ ':generation': generation, ':from': from, ':to': to }),
        ScanIndexForward: order === 'oldest first',
      },
    );
    const items: Item[] = [];
    // A page of DynamoDB may be short, and have another after it.
    for await (const { Items = [] } of pages) {
      items.push(...Items);
      if (items.length >= limit) break;
    }
    return items.slice(0, limit).map((item) => ({
      timestamp: item.timestamp?.S ?? '',
      messageId: item.messageSlice?.S?.split('#')[0] ?? '',
    }));
  },
});
