import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { TableName } from '../../../shared/contract/tables.ts';
import { publicationKey } from '../../../shared/domain/deliveries/task.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import type { Change } from '../dynamodb/memory-table.ts';
import { currentInstance } from '../lambda/platform.ts';
import type { History, SubscriptionFacts } from './history.ts';
import type { ImportHistory } from './import-history.ts';
import type { Plan } from './plan.ts';
import { watchParking } from './watch-parking.ts';
import { type WatchedRow, watchRows } from './watch-rows.ts';

/** Returns the client whose request the current function is processing. */
const clientAtWork = (): string | undefined =>
  (currentInstance()?.invocation?.event as Partial<APIGatewayProxyEvent> | undefined)?.requestContext?.authorizer
    ?.caller;

/** Records every change in the tables at the time of the change, even if the caller gets an error. */
export function observe(
  { tables }: MemoryDynamodb,
  history: History,
  imports: ImportHistory,
  clock: VirtualClock,
  plan: Plan,
) {
  let hasChanged = true;
  let earliestDue = Number.POSITIVE_INFINITY;
  const deliveries = () => tables.table('deliveries');
  const unmarshalled = new WeakMap<Item, WatchedRow>();
  const rowOf = (item: Item): WatchedRow => {
    const row = unmarshalled.get(item) ?? (unmarshall(item) as WatchedRow);
    unmarshalled.set(item, row);
    return row;
  };
  const deliveryRows = () => [...deliveries().items()].map(rowOf);
  const watch = watchRows({ history, plan, now: clock.now, rows: deliveryRows });
  const watchParked = watchParking(history, clock.now, deliveryRows);

  /** Checks that the clean-up deletes only subscriptions whose topic has been deleted. */
  function checkRemoval(uuid: string): void {
    const row = history.subscriptions.get(uuid)?.at(-1)?.row;
    if (row === undefined || currentInstance()?.facts.name !== 'removeSubscriptions') return;
    for (const { generation } of tables.table('topics').items())
      if (generation?.S === row.generation)
        history.violations.push({ invariant: 'the clean-up keeps subscriptions of existing topics', what: uuid });
  }

  function recordChange({ table, key, before, after }: Change): void {
    const isDelivery = table.name === 'deliveries';
    const row = after === undefined ? undefined : isDelivery ? rowOf(after) : unmarshall(after);
    imports.recordChange(table.name, key, before, row, clock.now());
    if (table.name === 'subscriptions') {
      const by = clientAtWork();
      if (row === undefined) checkRemoval(key.partition);
      history.recordVersion(key.partition, { at: clock.now(), row: row as SubscriptionFacts, by });
    }
    if (!isDelivery) return;
    hasChanged = true;
    // The row of a message is also written for each segment of a reconciliation.
    if (key.sort !== publicationKey) history.work.written += 1;
    if (key.sort !== publicationKey || row === undefined) return;
    const { generation, timestamp, topicName, subject } = unmarshall(after as Item);
    history.messages.set(String(row.messageId), { generation, timestamp: Date.parse(timestamp), topicName, subject });
  }

  const commit = tables.commit.bind(tables);
  tables.commit = (change) => {
    recordChange(change);
    commit(change);
    if (change.table.name !== 'deliveries') return;
    const { before, after } = change;
    const run = history.runOf(currentInstance());
    const rows = { before: before && rowOf(before), after: after && rowOf(after), run };
    watch(rows);
    watchParked(rows);
  };

  return {
    /** Returns the time of the sweeper's next task in epoch milliseconds, or Infinity if there are no tasks. */
    nextDue(): number {
      if (!hasChanged) return earliestDue;
      hasChanged = false;
      earliestDue = Number.POSITIVE_INFINITY;
      for (const { sweepShard, sweepAt } of deliveries().items()) {
        if (sweepShard?.S?.startsWith('due#')) earliestDue = Math.min(earliestDue, Number(sweepAt?.S));
      }
      return earliestDue;
    },
    rows: () => [...deliveries().items()].map((item) => unmarshall(item)),
    rowsOf: <Row>(name: TableName): Row[] => [...tables.table(name).items()].map((item) => unmarshall(item) as Row),
  };
}

export type Observed = ReturnType<typeof observe>;
