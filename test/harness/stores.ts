import { beforeEach } from 'vitest';
import { tables as contract, type TableName } from '../../shared/contract/tables.ts';
import { useQueues } from './queues.ts';
import { storedIn } from './stored.ts';
import { useTables } from './tables.ts';
import type { GivenSettings } from './variables.ts';

export interface StoresOptions {
  /** Settings that differ from their defaults. */
  readonly settings?: GivenSettings;
  /** The tables that there are; all of the contract unless said otherwise. */
  readonly tables?: readonly TableName[];
  /** Tables that keep their rows from test to test. */
  readonly kept?: readonly TableName[];
  /** What else begins anew with each test. */
  readonly onReset?: () => void;
}

/** The tables and queues of the contract in a DynamoDB and an SQS of this file's own, empty before each test. */
export function useStores({
  settings = {},
  tables = Object.keys(contract) as TableName[],
  kept = [],
  onReset = () => {},
}: StoresOptions) {
  const inTables = useTables(tables);
  const inQueues = useQueues(settings);

  /** Empties tables and queues. */
  async function reset(): Promise<void> {
    onReset();
    inQueues.emptyQueues();
    for (const name of tables) if (!kept.includes(name)) await inTables.empty(name);
  }
  beforeEach(reset);

  return { ...inTables, ...inQueues, ...storedIn(inTables), reset };
}
