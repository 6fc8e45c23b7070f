import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';

const largest = (counts: ReadonlyMap<string, number>, most: number): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** Describes the due rows of the `deliveries` table. The sweeper will process these rows first. */
export async function describeDueWork(dynamodb: DynamoDBClient, TableName: string, now: number): Promise<string[]> {
  const kinds = new Map<string, number>();
  const subscriptions = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  let oldest = now;
  const pages = paginateScan(
    { client: dynamodb },
    {
      ...{ TableName, IndexName: 'bySweep' },
      ...{ FilterExpression: 'begins_with(sweepShard, :due) AND sweepAt <= :now' },
      ExpressionAttributeValues: { ':due': { S: 'due#' }, ':now': { S: String(now).padStart(15, '0') } },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const { protocol, owner, sweepAt } of Items) {
      count(kinds, protocol?.S ?? 'publications');
      if (owner?.S !== undefined) count(subscriptions, owner.S);
      oldest = Math.min(oldest, Number(sweepAt?.S));
    }
  }
  if (kinds.size === 0) return ['No work is due.'];
  return [
    `Due since ${new Date(oldest).toISOString()}: ${largest(kinds, 10)}.`,
    ...(subscriptions.size === 0 ? [] : [`The subscriptions with the most due work: ${largest(subscriptions, 10)}`]),
  ];
}
