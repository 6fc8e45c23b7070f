import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { TableName } from '../../../shared/contract/tables.ts';
import { publicationKey } from '../../../shared/domain/deliveries/task.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import type { Change } from '../dynamodb/memory-table.ts';
import { currentInstance } from '../lambda/platform.ts';
import type { History, SubscriptionFacts } from './history.ts';
import type { ImportHistory } from './import-history.ts';

/** Returns the client whose request the current function is processing. */
const clientAtWork = (): string | undefined =>
  (currentInstance()?.invocation?.event as Partial<APIGatewayProxyEvent> | undefined)?.requestContext?.authorizer
    ?.caller;

/** Records every change in the tables at the time of the change, even if the caller gets an error. */
export function observe({ tables }: MemoryDynamodb, history: History, imports: ImportHistory, clock: VirtualClock) {
  let hasChanged = true;
  let earliestDue = Number.POSITIVE_INFINITY;
  const deliveries = () => tables.table('deliveries');

  function recordChange({ table, key, before, after }: Change): void {
    const row = after === undefined ? undefined : unmarshall(after);
    imports.recordChange(table.name, key, before, row, clock.now());
    if (table.name === 'subscriptions')
      history.recordVersion(key.partition, { at: clock.now(), row: row as SubscriptionFacts, by: clientAtWork() });
    if (table.name !== 'deliveries') return;
    hasChanged = true;
    history.work.written += 1;
    if (key.sort !== publicationKey || row === undefined) return;
    const { generation, timestamp, topicName, subject } = row;
    history.messages.set(row.messageId, { generation, timestamp: Date.parse(timestamp), topicName, subject });
  }

  const commit = tables.commit.bind(tables);
  tables.commit = (change) => {
    recordChange(change);
    commit(change);
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
