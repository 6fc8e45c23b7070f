import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { fromItem } from './dynamo.ts';

export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<Value> {
  readonly values: Value[];
  /** Where the next page starts; undefined at the end. */
  readonly cursor: string | undefined;
}

/** One page of a table whose key is `uuid`: at most `limit` rows, and at most what one Scan reads (1 MB). */
export async function scanPage<Value>(
  client: DynamoDBClient,
  table: string,
  schema: { parse(value: unknown): Value },
  { limit, cursor }: PageRequest,
): Promise<Page<Value>> {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new ScanCommand({
      TableName: table,
      ...(limit === undefined ? {} : { Limit: limit }),
      ...(cursor === undefined ? {} : { ExclusiveStartKey: { uuid: { S: cursor } } }),
    }),
  );
  return { values: Items.map((item) => fromItem(schema, item)), cursor: LastEvaluatedKey?.uuid?.S };
}
