import type { Table } from '../../../shared/contract/tables.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import { orderKey } from './expressions/values.ts';
import { SortedMap } from './sorted-map.ts';

type IndexSchema = NonNullable<Table['indexes']>[string];

/** A change that is not visible in the index yet. */
interface Pending {
  readonly at: number;
  readonly row: string;
  readonly entry: Item | undefined;
}

/** A sparse global secondary index with projected attributes. The index may lag behind its table. */
export class MemoryIndex {
  readonly name: string;
  readonly schema: IndexSchema;
  readonly tableKeys: readonly string[];
  readonly attributes: readonly string[];
  readonly partitions = new Map<string, SortedMap<Item>>();
  // The changes are sorted by time, and changes to the same row keep their order.
  #pending: Pending[] = [];
  readonly #latest = new Map<string, number>();
  readonly #shown = new Map<string, Item>();

  constructor(name: string, schema: IndexSchema, tableKeys: readonly string[]) {
    this.name = name;
    this.schema = schema;
    this.tableKeys = tableKeys;
    const { partition, sort, includes = [] } = schema;
    const keys = [...tableKeys, partition, ...(sort === undefined ? [] : [sort])];
    this.attributes = [...new Set([...keys, ...includes])];
  }

  /** Returns the index entry of a row, or undefined if the row lacks an index key. */
  entryOf(item: Item | undefined): Item | undefined {
    const { partition, sort } = this.schema;
    if (item?.[partition] === undefined || (sort !== undefined && item[sort] === undefined)) return undefined;
    const entry: Item = {};
    for (const name of this.attributes) {
      const value = item[name];
      if (value !== undefined) entry[name] = value;
    }
    return entry;
  }

  partitionOf(entry: Item): string {
    return entry[this.schema.partition]?.S ?? '';
  }

  /** Returns the position of an entry in its partition: the entry's sort key, followed by the keys of its row. */
  placeOf(entry: Item): string {
    const { sort } = this.schema;
    const start = sort === undefined ? '' : orderKey(entry[sort]?.S ?? '');
    return `${start}\0${this.tableKeys.map((name) => orderKey(entry[name]?.S ?? '')).join('\0')}`;
  }

  /**
   * Replaces or removes a row's index entry. The change becomes visible at the time `at`, or immediately if `at` is
   * undefined.
   */
  change(row: string, before: Item | undefined, after: Item | undefined, at: number | undefined): void {
    if (at === undefined && this.#pending.length === 0) {
      this.#show(before, after);
      return;
    }
    const latest = Math.max(at ?? 0, this.#latest.get(row) ?? 0);
    this.#latest.set(row, latest);
    // The index entry that the change will replace. Earlier pending changes update the entry when they become visible.
    if (!this.#shown.has(row) && before !== undefined) this.#shown.set(row, before);
    const place = this.#pending.findLastIndex((one) => one.at <= latest) + 1;
    this.#pending.splice(place, 0, { at: latest, row, entry: after });
  }

  /** Makes all due changes visible. */
  catchUp(now: number): void {
    let shown = 0;
    while (shown < this.#pending.length && (this.#pending[shown]?.at ?? 0) <= now) {
      const { row, entry } = this.#pending[shown] as Pending;
      this.#show(this.#shown.get(row), entry);
      if (entry === undefined) this.#shown.delete(row);
      else this.#shown.set(row, entry);
      shown += 1;
    }
    if (shown === 0) return;
    this.#pending = this.#pending.slice(shown);
    if (this.#pending.length > 0) return;
    this.#latest.clear();
    this.#shown.clear();
  }

  #show(before: Item | undefined, after: Item | undefined): void {
    if (before !== undefined) {
      const partition = this.partitions.get(this.partitionOf(before));
      partition?.delete(this.placeOf(before));
      if (partition?.size === 0) this.partitions.delete(this.partitionOf(before));
    }
    if (after === undefined) return;
    const name = this.partitionOf(after);
    const partition = this.partitions.get(name) ?? new SortedMap<Item>();
    this.partitions.set(name, partition);
    partition.set(this.placeOf(after), after);
  }
}
