import type { Table } from '../../../shared/contract/tables.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import type { Charge } from './capacity.ts';
import { invalid } from './expressions/validation-error.ts';
import { isEqual, orderKey, type Value } from './expressions/values.ts';
import { itemSize, maxItemBytes, writeUnits } from './item-size.ts';
import { MemoryIndex } from './memory-index.ts';
import { SortedMap } from './sorted-map.ts';

export interface Key {
  readonly partition: string;
  /** The value of the sort key, or an empty string if the table has no sort key. */
  readonly sort: string;
}

/** A planned write, with the versions of the row before and after the write. */
export interface Change {
  readonly table: MemoryTable;
  readonly key: Key;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export const rowName = ({ partition, sort }: Key): string => `${partition}\0${sort}`;

/** A table in memory. Items are never changed in place, so callers may keep them. */
export class MemoryTable {
  readonly name: string;
  readonly schema: Table;
  readonly indexes: ReadonlyMap<string, MemoryIndex>;
  readonly keyNames: readonly string[];
  readonly #single = new Map<string, Item>();
  readonly #sorted = new Map<string, SortedMap<Item>>();
  /** The earliest time (epoch seconds) at which a row may expire. */
  earliestExpiry = Number.POSITIVE_INFINITY;

  constructor(name: string, schema: Table) {
    this.name = name;
    this.schema = schema;
    this.keyNames = [schema.partition, ...(schema.sort === undefined ? [] : [schema.sort])];
    const indexes = Object.entries(schema.indexes ?? {});
    this.indexes = new Map(indexes.map(([index, one]) => [index, new MemoryIndex(index, one, this.keyNames)]));
  }

  /**
   * Returns the key from an item or a request.
   * @throws ValidationException if the key does not match the table
   */
  keyOf(item: Item | undefined, isWhole: boolean): Key {
    const { partition, sort } = this.schema;
    if (isWhole && Object.keys(item ?? {}).length !== this.keyNames.length)
      throw invalid('The provided key element does not match the schema');
    return { partition: this.#text(item, partition), sort: sort === undefined ? '' : this.#text(item, sort) };
  }

  #text(item: Item | undefined, name: string): string {
    const value = item?.[name]?.S;
    if (value === undefined || value === '')
      throw invalid(`One or more parameter values were invalid: the key ${name} must be a text that is not empty`);
    return value;
  }

  get({ partition, sort }: Key): Item | undefined {
    return this.schema.sort === undefined
      ? this.#single.get(partition)
      : this.#sorted.get(partition)?.get(orderKey(sort));
  }

  partition(partition: string): SortedMap<Item> | undefined {
    if (this.schema.sort !== undefined) return this.#sorted.get(partition);
    const item = this.#single.get(partition);
    if (item === undefined) return undefined;
    const rows = new SortedMap<Item>();
    rows.set('', item);
    return rows;
  }

  partitionKeys(): Iterable<string> {
    return this.schema.sort === undefined ? this.#single.keys() : this.#sorted.keys();
  }

  get size(): number {
    if (this.schema.sort === undefined) return this.#single.size;
    return this.#sorted.values().reduce((sum, { size }) => sum + size, 0);
  }

  *items(): Generator<Item> {
    yield* this.#single.values();
    for (const rows of this.#sorted.values()) {
      const all: Item[] = [];
      rows.up('', (item) => all.push(item) > 0);
      yield* all;
    }
  }

  /**
   * Checks that the table can store an item.
   * @throws ValidationException
   */
  check(item: Item, tooLarge: string): void {
    if (itemSize(item) > maxItemBytes) throw invalid(tooLarge);
  }

  /** Returns the charges for changing a row and its index entries (see "Write operations" for on-demand capacity). */
  charges({ key, before, after }: Change, perUnit: 1 | 2): Charge[] {
    const bytes = Math.max(before === undefined ? 0 : itemSize(before), after === undefined ? 0 : itemSize(after));
    const charge = (index: string | undefined, partition: string, units: number): Charge => ({
      ...{ table: this.name, index, key: partition, of: 'writes' },
      units,
    });
    const charges = [charge(undefined, key.partition, writeUnits(bytes) * perUnit)];
    for (const index of this.indexes.values()) {
      const [old, next] = [index.entryOf(before), index.entryOf(after)];
      if (old === undefined && next === undefined) continue;
      const isMoved =
        old &&
        next &&
        (index.partitionOf(old) !== index.partitionOf(next) || index.placeOf(old) !== index.placeOf(next));
      if (old && next && !isMoved) {
        const largest = Math.max(itemSize(old), itemSize(next));
        if (!isSameEntry(index, old, next))
          charges.push(charge(index.name, index.partitionOf(next), writeUnits(largest)));
        continue;
      }
      // Moving an entry is charged twice, once for the removal and once for the addition.
      for (const entry of [old, next])
        if (entry) charges.push(charge(index.name, index.partitionOf(entry), writeUnits(itemSize(entry))));
    }
    return charges;
  }

  /**
   * Applies a change. `shownAt` returns when an index shows the change, or undefined if the index shows the change
   * immediately.
   */
  commit({ key, before, after }: Change, shownAt: (index: string) => number | undefined = () => undefined): void {
    if (this.schema.sort === undefined) {
      if (after === undefined) this.#single.delete(key.partition);
      else this.#single.set(key.partition, after);
    } else {
      const rows = this.#sorted.get(key.partition) ?? new SortedMap<Item>();
      if (after !== undefined) rows.set(orderKey(key.sort), after);
      else rows.delete(orderKey(key.sort));
      if (rows.size === 0) this.#sorted.delete(key.partition);
      else this.#sorted.set(key.partition, rows);
    }
    for (const index of this.indexes.values()) {
      const [old, next] = [index.entryOf(before), index.entryOf(after)];
      if (old === undefined && next === undefined) continue;
      if (old && next && isSameEntry(index, old, next)) continue;
      index.change(rowName(key), old, next, shownAt(index.name));
    }
    const expiry = this.expiryOf(after);
    if (expiry !== undefined) this.earliestExpiry = Math.min(this.earliestExpiry, expiry);
  }

  /** Returns the time at which a row expires, in epoch seconds. */
  expiryOf(item: Item | undefined): number | undefined {
    const { expiresAt } = this.schema;
    const seconds = expiresAt === undefined ? undefined : item?.[expiresAt]?.N;
    return seconds === undefined ? undefined : Number(seconds);
  }
}

const isSameEntry = (index: MemoryIndex, old: Item, next: Item): boolean =>
  index.attributes.every((name) => {
    const [a, b]: (Value | undefined)[] = [old[name], next[name]];
    return a === b || (a !== undefined && b !== undefined && isEqual(a, b));
  });
