import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Citizen } from '../../infra/local/demo/population/population.ts';
import { personRow } from '../../shared/storage/persons/rows.ts';
import { writeRequests } from './write-requests.ts';

/** Writes persons to a table, in the form in which the UIN endpoint stores them. */
export const loadPersons = (client: DynamoDBClient, table: string, people: Iterable<Citizen>): Promise<void> =>
  writeRequests(
    client,
    table,
    Iterator.from(people).map(({ uin, attributes }) => ({ PutRequest: { Item: personRow(uin, attributes) } })),
  );
