import { ResourceNotFoundException, ThrottlingException } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../../shared/contract/tables.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import { boundless, type Capacity, type Charge } from './capacity.ts';
import { type Change, MemoryTable } from './memory-table.ts';

export const $metadata = { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 };

export interface TablesOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** What the tables give; everything unless said otherwise. */
  readonly capacity?: Capacity;
  /** How long an index lags behind a change of a row, in milliseconds; not at all unless said otherwise. */
  readonly indexLagMs?: (table: string, index: string, item: Item) => number;
  /** How old what an eventually consistent read answers may be, in milliseconds; not at all unless said otherwise. */
  readonly readLagMs?: (table: string) => number;
  /** Whether the page of a Query or a Scan ends here although there is more; only its limits end it unless said otherwise. */
  readonly endsPage?: () => boolean;
  /** How long after its time a row is removed; DynamoDB says "within a few days". */
  readonly ttlLagMs?: number;
  /** How long a transaction holds its rows: writes in between conflict with it. It is atomic at once without. */
  readonly holdTransaction?: () => Promise<void>;
}

/** What an eventually consistent read may still answer: a row as it was until a change. */
interface Former {
  readonly item: Item | undefined;
  /** Until when (epoch milliseconds) it was so. */
  readonly until: number;
}

// Rows that have expired are looked for no more often.
const expiryEveryMs = 3_600_000;
// Read lags longer than this are no model of DynamoDB.
const mostReadLagMs = 60_000;

/** The tables of one DynamoDB, and what all its operations share. */
export class Tables {
  readonly options: TablesOptions;
  readonly #tables = new Map<string, MemoryTable>();
  readonly #former = new Map<string, Former[]>();
  #nextExpiry = 0;
  /** The rows that transactions hold at this moment. */
  readonly held = new Set<string>();

  constructor(options: TablesOptions) {
    this.options = options;
  }

  create(name: string, schema: Table): MemoryTable {
    const table = new MemoryTable(name, schema);
    this.#tables.set(name, table);
    return table;
  }

  /** @throws ResourceNotFoundException, as DynamoDB does */
  table(name: string | undefined): MemoryTable {
    const table = this.#tables.get(name ?? '');
    if (table !== undefined) return table;
    throw new ResourceNotFoundException({ $metadata, message: 'Requested resource not found' });
  }

  /** Takes what a request costs. @throws what DynamoDB throws where that is too much: on-demand tables throttle */
  take(charges: readonly Charge[]): void {
    const refused = this.refused(charges);
    if (refused !== undefined) this.throttle(refused);
  }

  throttle(refused: Charge): never {
    const where = refused.index === undefined ? refused.table : `${refused.table}/index/${refused.index}`;
    throw new ThrottlingException({ $metadata, message: `Throughput exceeds the current capacity of ${where}` });
  }

  refused(charges: readonly Charge[]): Charge | undefined {
    return (this.options.capacity ?? boundless).take(charges);
  }

  commit(change: Change): void {
    const { indexLagMs, readLagMs, now } = this.options;
    const { table, key, before, after } = change;
    if (before === after) return;
    if (readLagMs !== undefined) {
      const name = `${table.name}\0${key.partition}\0${key.sort}`;
      const kept = (this.#former.get(name) ?? []).filter(({ until }) => until > now() - mostReadLagMs);
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

  /** A row, as a consistent read sees it, or an eventually consistent one may. */
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

  /** Removes what expired long enough ago, as DynamoDB does in its own time. */
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
