import { ResourceNotFoundException, ThrottlingException } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../../shared/contract/tables.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import { boundless, type Capacity, type Charge } from './capacity.ts';
import { type Change, MemoryTable } from './memory-table.ts';

export const $metadata = { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 };

export interface TablesOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The capacity of the tables. The default is unlimited. */
  readonly capacity?: Capacity;
  /** Returns by how many milliseconds an index lags behind a change. The default is no lag. */
  readonly indexLagMs?: (table: string, index: string, item: Item) => number;
  /** Returns the age of the data in an eventually consistent read, in milliseconds. The default is 0. */
  readonly readLagMs?: (table: string) => number;
  /** Returns whether a batch request leaves a row unprocessed. By default, only throttled rows are unprocessed. */
  readonly leavesRow?: () => boolean;
  /** Returns whether a page of a Query or Scan ends early. By default, a page ends only at its limits. */
  readonly endsPage?: () => boolean;
  /**
   * The number of milliseconds between a row's expiry and its deletion. The DynamoDB documentation says "within a few
   * days".
   */
  readonly ttlLagMs?: number;
  /**
   * Waits while a transaction holds the locks on its rows. Other writes to the locked rows conflict during the wait. By
   * default, transactions commit immediately.
   */
  readonly holdTransaction?: () => Promise<void>;
}

/** An old version of a row that an eventually consistent read may still return. */
interface Former {
  readonly item: Item | undefined;
  /** The time at which the version was replaced, in epoch milliseconds. */
  readonly until: number;
}

// The minimum interval between searches for expired rows.
const expiryEveryMs = 3_600_000;
// Old versions of rows are kept for the maximum lag of a simulated read.
const maxReadLagMs = 60_000;

export class Tables {
  readonly options: TablesOptions;
  readonly #tables = new Map<string, MemoryTable>();
  readonly #former = new Map<string, Former[]>();
  #nextExpiry = 0;
  /** The rows that are locked by running transactions. */
  readonly held = new Set<string>();

  constructor(options: TablesOptions) {
    this.options = options;
  }

  create(name: string, schema: Table): MemoryTable {
    const table = new MemoryTable(name, schema);
    this.#tables.set(name, table);
    return table;
  }

  /** @throws ResourceNotFoundException */
  table(name: string | undefined): MemoryTable {
    const table = this.#tables.get(name ?? '');
    if (table !== undefined) return table;
    throw new ResourceNotFoundException({ $metadata, message: 'Requested resource not found' });
  }

  /**
   * Consumes the capacity that a request needs.
   * @throws ThrottlingException if the request exceeds the capacity
   */
  take(charges: readonly Charge[]): void {
    const charge = this.exceeded(charges);
    if (charge !== undefined) this.throttle(charge);
  }

  throttle(charge: Charge): never {
    const where = charge.index === undefined ? charge.table : `${charge.table}/index/${charge.index}`;
    throw new ThrottlingException({ $metadata, message: `Throughput exceeds the current capacity of ${where}` });
  }

  exceeded(charges: readonly Charge[]): Charge | undefined {
    return (this.options.capacity ?? boundless).take(charges);
  }

  commit(change: Change): void {
    const { indexLagMs, readLagMs, now } = this.options;
    const { table, key, before, after } = change;
    if (before === after) return;
    if (readLagMs !== undefined) {
      const name = `${table.name}\0${key.partition}\0${key.sort}`;
      const kept = (this.#former.get(name) ?? []).filter(({ until }) => until > now() - maxReadLagMs);
      this.#former.set(name, [...kept, { item: before, until: now() }]);
    }
    const shownAt =
      indexLagMs === undefined
        ? undefined
        : (index: string) => {
            const lag = indexLagMs(table.name, index, (after ?? before) as Item);
            return lag > 0 ? now() + lag : undefined;
          };
    table.commit(change, shownAt);
  }

  /** Reads a row. An eventually consistent read may return an outdated version of the row. */
  read(table: MemoryTable, key: { partition: string; sort: string }, isConsistent: boolean): Item | undefined {
    const { readLagMs, now } = this.options;
    if (!isConsistent && readLagMs !== undefined) {
      const seenAt = now() - readLagMs(table.name);
      const former = this.#former.get(`${table.name}\0${key.partition}\0${key.sort}`);
      const then = former?.find(({ until }) => until > seenAt);
      if (then !== undefined) return then.item;
    }
    return table.get(key);
  }

  /** Deletes the expired rows whose deletion time has passed. */
  expire(): void {
    const { now, ttlLagMs = 0 } = this.options;
    if (now() < this.#nextExpiry) return;
    this.#nextExpiry = now() + expiryEveryMs;
    const latest = Math.floor((now() - ttlLagMs) / 1000);
    for (const table of this.#tables.values()) {
      if (table.earliestExpiry >= latest) continue;
      let earliest = Number.POSITIVE_INFINITY;
      for (const item of [...table.items()]) {
        const at = table.expiryOf(item) ?? Number.POSITIVE_INFINITY;
        if (at < latest) this.commit({ table, key: table.keyOf(item, false), before: item, after: undefined });
        else earliest = Math.min(earliest, at);
      }
      table.earliestExpiry = earliest;
    }
  }
}
