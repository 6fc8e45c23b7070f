import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Capability } from '../contract/capabilities.ts';
import { defineStore } from '../contract/define-store.ts';
import { type Table, tables } from '../contract/tables.ts';
import { type DynamoTable, dynamo } from './dynamo.ts';
import { conditionOf, deleteIf, putIf } from './writes.ts';

// No row has this key.
const missingKey = { S: '-' };

/** Warms up the connection to a table with the cheapest request that is permitted and changes nothing. */
async function warmUp(client: DynamoDBClient, TableName: string, capability: Capability): Promise<unknown> {
  if (!('table' in capability)) return undefined;
  const { partition, sort, indexes }: Table = tables[capability.table];
  const may = (action: string): boolean => capability.actions.includes(`dynamodb:${action}`);
  const Key = { [partition]: missingKey, ...(sort === undefined ? {} : { [sort]: missingKey }) };
  const never = { condition: `attribute_exists(#${partition}) AND attribute_not_exists(#${partition})` };
  const IndexName = may('Query') ? undefined : capability.queries?.[0];
  if (may('GetItem')) return client.send(new GetItemCommand({ TableName, Key }));
  if (may('Query') || IndexName !== undefined) {
    const key = IndexName === undefined ? partition : indexes?.[IndexName]?.partition;
    const names = { ExpressionAttributeNames: { '#key': String(key) } };
    const values = { ExpressionAttributeValues: { ':nobody': missingKey } };
    const asked = { TableName, KeyConditionExpression: '#key = :nobody', ...names, ...values, Limit: 1 };
    return client.send(new QueryCommand({ ...asked, ...(IndexName && { IndexName }) }));
  }
  if (may('BatchGetItem'))
    return client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }));
  if (may('UpdateItem')) return client.send(new UpdateItemCommand({ TableName, Key, ...conditionOf(never) }));
  if (may('DeleteItem')) return deleteIf({ client, TableName }, Key, never);
  if (may('Scan')) return client.send(new ScanCommand({ TableName, Limit: 1, Select: 'COUNT' }));
  return putIf({ client, TableName }, Key, never);
}

type Permissions = Readonly<Record<string, (table: DynamoTable) => object>>;

/** Defines a store in DynamoDB. Each permission has a function that creates the permitted methods for the table. */
export const tableStore = <const Name extends string, P extends Permissions>(
  name: Name,
  permissions: P,
  isUsedConcurrently = false,
) =>
  defineStore({
    name,
    client: dynamo,
    warmUp,
    isUsedConcurrently,
    // TypeScript cannot infer that the loop keeps the methods of each permission.
    permissions: Object.fromEntries(
      Object.entries(permissions).map(([permission, open]) => [
        permission,
        (client: DynamoDBClient, TableName: string) => open({ client, TableName }),
      ]),
    ) as { [K in keyof P]: (client: DynamoDBClient, TableName: string) => ReturnType<P[K]> },
  });
