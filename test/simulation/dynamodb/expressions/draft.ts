import type { Item } from '../../../../shared/storage/dynamo.ts';
import type { Path } from './paths.ts';
import { invalid } from './validation-error.ts';
import type { Value } from './values.ts';

const invalidPath = () => invalid('The document path provided in the update expression is invalid for update');

/** A mutable copy of an item. Stored items are never changed in place, because readers may still use them. */
export class Draft {
  readonly item: Item;
  // The maps that have already been copied.
  readonly #own = new Set<object>();

  constructor(item: Item) {
    this.item = { ...item };
  }

  /** Returns the item or map that contains the last part of a path. Each map on the path is copied at most once. */
  #holder(path: Path): Item {
    let holder = this.item;
    for (const part of path.slice(0, -1)) {
      const inner = holder[part]?.M;
      if (inner === undefined) throw invalidPath();
      const own = this.#own.has(inner) ? inner : { ...inner };
      this.#own.add(own);
      holder[part] = { M: own };
      holder = own;
    }
    return holder;
  }

  set(path: Path, value: Value): void {
    const holder = path.length === 1 ? this.item : this.#holder(path);
    holder[path.at(-1) as string] = value;
  }

  remove(path: Path): void {
    delete this.#holder(path)[path.at(-1) as string];
  }
}
