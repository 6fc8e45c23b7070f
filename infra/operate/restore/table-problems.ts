import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBClient, ScanCommand, type TableDescription } from '@aws-sdk/client-dynamodb';
import { unlessMissing } from './deployed-stage.ts';
import { missingSettings, type StoreSetting } from './store-setting.ts';
import { describeTable, type TableShape } from './table-settings.ts';

const byType = (keys: readonly object[] = []): unknown[] =>
  (keys as readonly { AttributeName?: string; KeyType?: string }[]).map(({ AttributeName, KeyType }) => [
    KeyType,
    AttributeName,
  ]);

const hasSameKeys = (one: readonly object[] | undefined, other: readonly object[]): boolean =>
  isDeepStrictEqual(byType(one), byType(other));

function shapeProblems({ KeySchema, GlobalSecondaryIndexes = [] }: TableDescription, shape: TableShape): string[] {
  const wanted = shape.GlobalSecondaryIndexes ?? [];
  return [
    ...(hasSameKeys(KeySchema, shape.KeySchema) ? [] : ['its keys differ from the keys in the template']),
    ...wanted.flatMap(({ IndexName, KeySchema: keys }) => {
      const found = GlobalSecondaryIndexes.find((one) => one.IndexName === IndexName);
      if (found?.IndexStatus !== 'ACTIVE') return [`it lacks the ${IndexName} index, or is still building it`];
      return hasSameKeys(found.KeySchema, keys) ? [] : [`the keys of its ${IndexName} index differ from the template`];
    }),
  ];
}

const hasRows = async (dynamodb: DynamoDBClient, TableName: string): Promise<boolean> =>
  (await dynamodb.send(new ScanCommand({ TableName, Limit: 1 }))).Count !== 0;

/**
 * Returns the reasons why a restored table cannot be used. Accepts an empty table only if the table in use is also
 * empty, or if the operator named the empty table.
 * @param inUse the table that the functions currently use, even if it no longer exists
 */
export async function tableProblems(
  dynamodb: DynamoDBClient,
  restored: string,
  inUse: string | undefined,
  shape: TableShape,
  { settings, mayBeEmpty }: { readonly settings: readonly StoreSetting[]; readonly mayBeEmpty: boolean },
): Promise<string[]> {
  const table = await unlessMissing(describeTable(dynamodb, restored));
  if (table === undefined) return ['it does not exist'];
  if (table.TableStatus !== 'ACTIVE') return [`it is ${table.TableStatus}`];
  const old = inUse === undefined ? undefined : await unlessMissing(describeTable(dynamodb, inUse));
  const isEmptyToo = old !== undefined && !(await hasRows(dynamodb, inUse ?? ''));
  const hasOtherKey =
    old !== undefined && old.SSEDescription?.KMSMasterKeyArn !== table.SSEDescription?.KMSMasterKeyArn;
  return [
    ...shapeProblems(table, shape),
    ...(await missingSettings(settings)).map(({ what }) => `it lacks ${what}`),
    ...(hasOtherKey ? ['its encryption key differs from the key of the table in use'] : []),
    ...(mayBeEmpty || isEmptyToo || (await hasRows(dynamodb, restored))
      ? []
      : ['it is empty, but the table in use is not empty']),
  ];
}
