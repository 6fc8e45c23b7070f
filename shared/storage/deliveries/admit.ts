import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { fromItem, toItem } from '../dynamo.ts';
import { transact } from '../transact.ts';
import type { LedgerTask } from './lease.ts';
import { type Outcomes, openRows, type Times } from './outcomes.ts';
import { taskRow } from './row-schemas.ts';
import { rowKey } from './rows.ts';

// About 120 bytes each of the 400 KB that a row may have.
const mostOutcomes = 1500;

/** Puts these outcomes into the row of a recorded task, where none of them may be yet. */
function entries(table: string, task: LedgerTask, outcomes: Outcomes): TransactWriteItem {
  const late = Object.entries(outcomes);
  const each = (text: (index: number) => string, by: string): string => late.map((_, index) => text(index)).join(by);
  const values = late.map(([, outcome], index) => [`:o${index}`, outcome] as const);
  return {
    Update: {
      TableName: table,
      Key: rowKey(task),
      UpdateExpression: `SET ${each((index) => `outcomes.#u${index} = :o${index}`, ', ')}`,
      ConditionExpression: `#state = :recorded AND ${each((index) => `attribute_not_exists(outcomes.#u${index})`, ' AND ')}`,
      ExpressionAttributeNames: {
        '#state': 'state',
        ...Object.fromEntries(late.map(([uuid], index) => [`#u${index}`, uuid])),
      },
      ExpressionAttributeValues: toItem({ ':recorded': 'recorded', ...Object.fromEntries(values) }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

const without = (outcomes: Outcomes, isLeftOut: (uuid: string) => boolean): Outcomes =>
  Object.fromEntries(Object.entries(outcomes).filter(([uuid]) => !isLeftOut(uuid)));

export const admit = (client: DynamoDBClient, table: string) => ({
  /**
   * Takes at most `mostTogether` subscriptions into a recorded task, each with a row of its own: from now on the ledger
   * knows them. Who is known already, from another copy or a row of its own, is left as it stands. A task whose row is full
   * (`known` outcomes are in it) is not written to any more; the own rows alone then say what becomes of them.
   */
  async admit(task: LedgerTask, times: Times, outcomes: Outcomes, known: number): Promise<void> {
    const hasRoom = known < mostOutcomes;
    let late = outcomes;
    const present = new Set<string>();
    for (;;) {
      const opened = without(late, (uuid) => present.has(uuid));
      const rows = openRows(table, task, opened, times).map(({ Put }) => ({
        Put: { ...Put, ConditionExpression: 'attribute_not_exists(messageSlice)' },
      }));
      const items = hasRoom && Object.keys(late).length > 0 ? [entries(table, task, late), ...rows] : rows;
      if (items.length === 0) return;
      const done = await transact(client, items);
      if (done.isDone) return;
      const { refused } = done;
      for (const [index, uuid] of Object.keys(opened).entries()) {
        if (refused.has(index + items.length - rows.length)) present.add(uuid);
      }
      if (!hasRoom || !refused.has(0)) continue;
      const stored = refused.get(0);
      const row = stored && fromItem(taskRow, stored);
      // It is not recorded any more: the ledger has forgotten it.
      if (row?.state !== 'recorded') return;
      late = without(late, (uuid) => Object.hasOwn(row.outcomes, uuid));
    }
  },
});
