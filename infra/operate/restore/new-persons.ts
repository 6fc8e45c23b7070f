import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

const segments = 8;
// The maximum number of items in a BatchGetItem request.
const batchSize = 100;

/** Returns those of the given items that are missing from a table. */
async function missingFrom(dynamodb: DynamoDBClient, table: string, items: readonly Item[]): Promise<Item[]> {
  const present = new Set<string | undefined>();
  let keys: Item[] | undefined = items.flatMap(({ id }) => (id === undefined ? [] : [{ id }]));
  while (keys !== undefined && keys.length > 0) {
    const RequestItems = { [table]: { Keys: keys, ProjectionExpression: 'id', ConsistentRead: true } };
    const found: BatchGetItemCommandOutput = await dynamodb.send(new BatchGetItemCommand({ RequestItems }));
    for (const { id } of found.Responses?.[table] ?? []) present.add(id?.S);
    keys = found.UnprocessedKeys?.[table]?.Keys;
  }
  return items.filter(({ id }) => !present.has(id?.S));
}

async function putNew(dynamodb: DynamoDBClient, TableName: string, Item: Item): Promise<void> {
  const ConditionExpression = 'attribute_not_exists(id)';
  try {
    await dynamodb.send(new PutItemCommand({ TableName, Item, ConditionExpression }));
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
  }
}

/**
 * Copies the persons who were registered after the restore point, because their UINs are in use, but only the old table
 * contains these persons. Does not copy records of changes to other persons, because these changes must be imported
 * again.
 * @returns the number of copied persons
 */
export async function copyNewPersons(dynamodb: DynamoDBClient, old: string, restored: string): Promise<number> {
  const persons = new Set<string>();
  const changes: Item[] = [];
  const copySegment = async (Segment: number): Promise<void> => {
    const pages = paginateScan(
      { client: dynamodb },
      { TableName: old, Segment, TotalSegments: segments, ConsistentRead: true },
    );
    for await (const { Items = [] } of pages) {
      for (let from = 0; from < Items.length; from += batchSize) {
        for (const item of await missingFrom(dynamodb, restored, Items.slice(from, from + batchSize))) {
          const id = item.id?.S ?? '';
          if (id === 'indexes') continue;
          if (id.startsWith('change#')) {
            changes.push(item);
            continue;
          }
          await putNew(dynamodb, restored, item);
          if (id.startsWith('person#')) persons.add(id);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => copySegment(segment)));
  for (const item of changes) if (persons.has(`person#${item.uin?.S}`)) await putNew(dynamodb, restored, item);
  return persons.size;
}
