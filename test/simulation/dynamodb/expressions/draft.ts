import type { Item } from '../../../../shared/storage/dynamo.ts';
import type { Path } from './paths.ts';
import { invalid } from './validation-error.ts';
import type { Value } from './values.ts';

const invalidPath = () => invalid('The document path provided in the update expression is invalid for update');

/** A mutable copy of an item. Stored items are never changed in place, because readers may still use them. */
export class Draft {
  readonly item: Item;
  // The maps and lists that have already been copied.
  readonly #own = new Set<object>();
  readonly #removedFrom = new Map<Value[], number[]>();

  constructor(item: Item) {
    this.item = { ...item };
  }

  /** Returns the item, map or list that contains the last part of a path. Copies each map and list on the path at most once. */
  #holder(path: Path): Item | Value[] {
    let holder: Item | Value[] = this.item;
    for (const part of path.slice(0, -1)) {
      const value: Value | undefined = (holder as Record<string | number, Value>)[part];
      const inner: Item | Value[] | undefined = value?.M ?? value?.L;
      if (inner === undefined) throw invalidPath();
      if (this.#own.has(inner)) holder = inner;
      else {
        const copy: Item | Value[] = Array.isArray(inner) ? [...inner] : { ...inner };
        this.#own.add(copy);
        (holder as Record<string | number, Value>)[part] = (Array.isArray(copy) ? { L: copy } : { M: copy }) as Value;
        holder = copy;
      }
    }
    if (path.length > 1 && Array.isArray(holder) !== (typeof path.at(-1) === 'number')) throw invalidPath();
    return holder;
  }

  set(path: Path, value: Value): void {
    if (path.length === 1) {
      this.item[path[0] as string] = value;
      return;
    }
    const holder = this.#holder(path);
    const last = path.at(-1) as string;
    // DynamoDB appends the value if the index is beyond the end of the list.
    if (Array.isArray(holder)) holder[Math.min(Number(last), holder.length)] = value;
    else holder[last] = value;
  }

  remove(path: Path): void {
    const holder = this.#holder(path);
    const last = path.at(-1) as string;
    if (Array.isArray(holder)) {
      // Elements are removed after all other changes, because indexes refer to the list before the update.
      this.#removedFrom.set(holder, [...(this.#removedFrom.get(holder) ?? []), Number(last)]);
    } else delete holder[last];
  }

  finish(): Item {
    for (const [list, places] of this.#removedFrom)
      for (const place of places.toSorted((a, b) => b - a)) list.splice(place, 1);
    return this.item;
  }
}
