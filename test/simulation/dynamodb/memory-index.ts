import type { Table } from '../../../shared/contract/tables.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import { orderKey } from './expressions/values.ts';
import { SortedMap } from './sorted-map.ts';

type IndexSchema = NonNullable<Table['indexes']>[string];

/** One change of an index that shows later. */
interface Pending {
  readonly at: number;
  readonly row: string;
  readonly entry: Item | undefined;
}

/** A global secondary index: sparse, with the attributes that it projects, and behind its table by a while. */
export class MemoryIndex {
  readonly name: string;
  readonly schema: IndexSchema;
  readonly tableKeys: readonly string[];
  /** The attributes that it holds of a row. */
  readonly attributes: readonly string[];
  readonly partitions = new Map<string, SortedMap<Item>>();
  // Changes in the order of their times; those of one row keep their own order.
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

  /** What the index holds of a row; undefined where the row lacks one of its keys. */
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

  /** Where an entry stands in its partition: by its sort key, then by the keys of its row. */
  placeOf(entry: Item): string {
    const { sort } = this.schema;
    const start = sort === undefined ? '' : orderKey(entry[sort]?.S ?? '');
    return `${start}\0${this.tableKeys.map((name) => orderKey(entry[name]?.S ?? '')).join('\0')}`;
  }

  /** Shows a row's new entry, or its absence: at once, or from `at`. */
  change(row: string, before: Item | undefined, after: Item | undefined, at: number | undefined): void {
    if (at === undefined && this.#pending.length === 0) {
      this.#show(before, after);
      return;
    }
    const latest = Math.max(at ?? 0, this.#latest.get(row) ?? 0);
    this.#latest.set(row, latest);
    // What is shown now is what a later change takes away: that of the last change before it.
    if (!this.#shown.has(row) && before !== undefined) this.#shown.set(row, before);
    const place = this.#pending.findLastIndex((one) => one.at <= latest) + 1;
    this.#pending.splice(place, 0, { at: latest, row, entry: after });
  }

  /** Makes everything visible whose time has come. */
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
