import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { renewToken } from './renew-token.ts';
import { show } from './show.ts';

export const sweep = (client: DynamoDBClient, table: string) => ({
  ...show(client, table),
  ...renewToken(client, table),
});
