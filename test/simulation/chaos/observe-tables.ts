import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { TableName } from '../../../shared/contract/tables.ts';
import { publicationKey } from '../../../shared/domain/deliveries/task.ts';
import { importTimes } from '../../../shared/domain/imports/import-limits.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import type { Change } from '../dynamodb/memory-table.ts';
import { currentInstance } from '../lambda/platform.ts';
import { type History, hopMs, type SubscriptionFacts } from './history.ts';
import type { ImportHistory } from './import-history.ts';
import type { Plan } from './plan.ts';
import { watchParking } from './watch-parking.ts';
import { type WatchedRow, watchRows } from './watch-rows.ts';

/** Returns the client whose request the current function is processing. */
const clientAtWork = (): string | undefined =>
  (currentInstance()?.invocation?.event as Partial<APIGatewayProxyEvent> | undefined)?.requestContext?.authorizer
    ?.caller;

/** Records every table change immediately, even if the caller receives an error. */
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
  const unmarshalled = new WeakMap<Item, ReturnType<typeof unmarshall>>();
  const read = (item: Item) => {
    const row = unmarshalled.get(item) ?? unmarshall(item);
    unmarshalled.set(item, row);
    return row;
  };
  const rowOf = (item: Item): WatchedRow => read(item) as WatchedRow;
  const deliveryRows = () => [...deliveries().items()].map(rowOf);
  const watch = watchRows({ history, plan, now: clock.now, rows: deliveryRows });
  const watchParked = watchParking(history, clock.now, deliveryRows);

  /** The deliveries that have expired, and whether rows are expiring now. */
  const expired: Item[] = [];
  let isExpiring = false;
  const expire = tables.expire.bind(tables);
  tables.expire = () => {
    isExpiring = true;
    expire();
    isExpiring = false;
  };

  /** Checks that no retry of a message is still scheduled when the message expires. */
  function checkExpiry({ messageId = '' }: WatchedRow): void {
    for (const row of [...deliveries().items()].map(rowOf))
      if (row.messageId === messageId && row.state === 'waiting' && !row.isStuck && (row.notBefore ?? 0) > clock.now())
        history.violations.push({ invariant: 'no message expires before its retries', what: messageId });
  }

  /** Checks that the clean-up deletes only subscriptions whose topic has been deleted. */
  function checkRemoval(uuid: string): void {
    const row = history.subscriptions.get(uuid)?.at(-1)?.row;
    if (row === undefined || isExpiring || currentInstance()?.facts.name !== 'removeSubscriptions') return;
    for (const { generation } of tables.table('topics').items())
      if (generation?.S === row.generation)
        history.violations.push({ invariant: 'the clean-up keeps subscriptions of existing topics', what: uuid });
  }

  /** The ids of the runs that acquired import leases, keyed by lease id. */
  const importers = new Map<string, number | undefined>();
  /** Checks that only the run that holds the lease changes an import, and that no run loses its lease early. */
  function checkImport(before: Item | undefined, after: Item | undefined): void {
    const [runId, run] = [after?.runId?.S, history.runOf(currentInstance())];
    if (runId === undefined) return;
    const isAcquired = runId !== before?.runId?.S;
    if (isAcquired) importers.set(runId, run?.id);
    const leasedMs = Number(after?.leaseUntil?.N) - Number(before?.leaseUntil?.N ?? 0);
    // A run computes the end of its lease before it acquires the lease, so an acquired lease may be shorter than
    // configured.
    const isTooEarly = isAcquired && leasedMs < (importTimes.leaseSeconds * 1000) / 2;
    if (isTooEarly || importers.get(runId) !== run?.id)
      history.violations.push({
        invariant: 'only the run that holds the lease changes an import',
        what: `${after?.sha256?.S}`,
      });
  }

  function recordChange({ table, key, before, after }: Change): void {
    const isDelivery = table.name === 'deliveries';
    const row = after && read(after);
    if (table.name === 'persons') checkImport(before, after);
    imports.recordChange(table.name, key, before, row, clock.now());
    if (table.name === 'subscriptions') {
      const by = clientAtWork();
      if (row === undefined) checkRemoval(key.partition);
      history.recordVersion(key.partition, { at: clock.now(), row: row as SubscriptionFacts, by });
    }
    if (!isDelivery) return;
    hasChanged = true;
    if (isExpiring && before !== undefined) {
      expired.push(before);
      if (key.sort === publicationKey) checkExpiry(rowOf(before));
    }
    // The row of a message is excluded, because each segment of a reconciliation also writes this row.
    if (key.sort !== publicationKey) history.work.written += 1;
    if (row?.state === 'waiting' && after?.notBefore?.N !== before?.notBefore?.N)
      history.work.hops += Math.floor(Math.max(0, row.notBefore - clock.now()) / hopMs);
    if (key.sort !== publicationKey || row === undefined) return;
    const { generation, timestamp, topicName, subject, shardBits = 0 } = row;
    const facts = { generation, topicName, subject, shardBits, timestamp: Date.parse(timestamp) };
    history.messages.set(String(row.messageId), facts);
  }

  const commit = tables.commit.bind(tables);
  tables.commit = (change) => {
    recordChange(change);
    commit(change);
    if (change.table.name !== 'deliveries' || isExpiring) return;
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
    /** Returns the rows of all deliveries, including those that have expired. */
    rows: () => [...expired, ...deliveries().items()].map(read),
    rowsOf: <Row>(name: TableName): Row[] => [...tables.table(name).items()].map((item) => read(item) as Row),
  };
}

export type Observed = ReturnType<typeof observe>;
