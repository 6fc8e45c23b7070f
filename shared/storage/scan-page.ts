import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Page, PageRequest } from '../domain/row-page.ts';
import { fromItem } from './dynamo.ts';

/** Returns a page of a table whose key is `uuid`: at most `limit` rows and at most 1 MB. */
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
