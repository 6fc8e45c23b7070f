import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';

const lanes = 4;
const mostOfBatch = 25;

function* inBatches<Value>(values: Iterable<Value>): Generator<Value[]> {
  let batch: Value[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < mostOfBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Writes rows to a table in concurrent batches of 25, without loading all rows into memory. */
export async function writeRequests(
  client: DynamoDBClient,
  table: string,
  requests: Iterable<WriteRequest>,
): Promise<void> {
  const batches = inBatches(requests);
  const lane = async (): Promise<void> => {
    for (const batch of batches) await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: batch } }));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
