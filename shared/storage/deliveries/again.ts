import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openAgain } from './open-again.ts';
import { readPublication } from './read-publication.ts';
import { reopen } from './reopen.ts';

/** What it takes to make a delivery again that is known. */
export const again = (client: DynamoDBClient, table: string) => ({
  ...readPublication(client, table),
  ...openAgain(client, table),
  ...reopen(client, table),
});
