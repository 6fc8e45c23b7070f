import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { addRequest } from './requests.ts';
import { show } from './show.ts';

export const sweep = (client: DynamoDBClient, table: string) => ({
  ...show(client, table),
  ...addRequest(client, table),
});
