import type { BatchWriteItemCommandInput, BatchWriteItemCommandOutput, WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Charge } from './capacity.ts';
import { invalid } from './expressions/validation-error.ts';
import { rowName } from './memory-table.ts';
import { $metadata, type Tables } from './tables.ts';
import { planWrite } from './writes.ts';

const maxWrites = 25;

/** Writes items independently of each other. Returns throttled or conflicting writes as unprocessed items. */
export function batchWriteItem(
  tables: Tables,
  { RequestItems = {} }: BatchWriteItemCommandInput,
): BatchWriteItemCommandOutput {
  const wanted = Object.entries(RequestItems);
  const count = wanted.reduce((sum, [, requests]) => sum + requests.length, 0);
  if (count === 0) throw invalid('The batch write request list cannot be empty');
  if (count > maxWrites) throw invalid('Too many items requested for the BatchWriteItem call');
  const UnprocessedItems: Record<string, WriteRequest[]> = {};
  let unprocessed = 0;
  let exceeded: Charge | undefined;
  for (const [name, requests] of wanted) {
    const table = tables.table(name);
    const plans = requests.map((request) => {
      const { PutRequest, DeleteRequest } = request;
      const parts = { TableName: name, Item: PutRequest?.Item, Key: DeleteRequest?.Key };
      return { request, change: planWrite(PutRequest ? 'Put' : 'Delete', table, parts).change };
    });
    if (new Set(plans.map(({ change }) => rowName(change.key))).size < plans.length)
      throw invalid('Provided list of item keys contains duplicates');
    for (const { request, change } of plans) {
      const isHeld = tables.held.has(`${name}\0${rowName(change.key)}`) || tables.options.leavesRow?.() === true;
      const stopped = isHeld ? undefined : tables.exceeded(table.charges(change, 1));
      exceeded = stopped ?? exceeded;
      if (!isHeld && stopped === undefined) tables.commit(change);
      else {
        unprocessed += 1;
        UnprocessedItems[name] = [...(UnprocessedItems[name] ?? []), request];
      }
    }
  }
  if (unprocessed === count && exceeded) tables.throttle(exceeded);
  return { $metadata, UnprocessedItems };
}
