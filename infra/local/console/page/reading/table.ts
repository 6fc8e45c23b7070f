import type { AwsClient } from '../../../aws/emulators/aws-client.ts';

export type Item = Readonly<Record<string, { S?: string; BOOL?: boolean; N?: string } | undefined>>;

interface Page {
  Items?: Item[];
  LastEvaluatedKey?: Item;
}

export const projectionOf = (names: readonly string[]) => ({
  ProjectionExpression: names.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
});

const call =
  (operation: 'Query' | 'Scan') =>
  (dynamodb: AwsClient, input: { TableName: string; Limit: number } & Readonly<Record<string, unknown>>) =>
    dynamodb<Page>(`DynamoDB_20120810.${operation}`, input);

/** Reads only one page. The `Limit` parameter limits the cost, whatever the size of the table. */
export const query = call('Query');
export const scan = call('Scan');

/** Reads up to 100 rows by their keys. */
export async function batchGet(
  dynamodb: AwsClient,
  TableName: string,
  request: { Keys: readonly Item[] } & Readonly<Record<string, unknown>>,
): Promise<Item[]> {
  if (request.Keys.length === 0) return [];
  const { Responses = {} } = await dynamodb<{ Responses?: Record<string, Item[]> }>('DynamoDB_20120810.BatchGetItem', {
    RequestItems: { [TableName]: request },
  });
  return Responses[TableName] ?? [];
}
