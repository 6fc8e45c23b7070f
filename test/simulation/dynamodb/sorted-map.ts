const maxInChunk = 512;

/** A function that is called for each entry in a range. Iteration stops if the function returns false. */
type Visit<Value> = (value: Value, key: string) => boolean;

/**
 * A sorted map that is divided into chunks. An insertion moves the entries of at most one chunk, and insertions in
 * ascending order fill each chunk completely.
 */
export class SortedMap<Value> {
  readonly #keys: string[][] = [];
  readonly #values: Value[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the chunk that may contain a key: the last chunk whose first key is not greater than the given key. */
  #chunkOf(key: string): number {
    let [low, high] = [0, this.#keys.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#keys[middle]?.[0] as string) <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the first index in a chunk whose key is not less than the given key. */
  #placeOf(keys: readonly string[], key: string): number {
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(key: string): Value | undefined {
    const chunk = this.#chunkOf(key);
    const keys = this.#keys[chunk];
    if (keys === undefined) return undefined;
    const place = this.#placeOf(keys, key);
    return keys[place] === key ? this.#values[chunk]?.[place] : undefined;
  }

  set(key: string, value: Value): void {
    const chunk = this.#chunkOf(key);
    const [keys, values] = [this.#keys[chunk], this.#values[chunk]];
    if (keys === undefined || values === undefined) {
      this.#keys.push([key]);
      this.#values.push([value]);
      this.#size = 1;
      return;
    }
    const place = this.#placeOf(keys, key);
    if (keys[place] === key) {
      values[place] = value;
      return;
    }
    this.#size += 1;
    if (keys.length < maxInChunk) {
      keys.splice(place, 0, key);
      values.splice(place, 0, value);
      return;
    }
    // An append to a full chunk starts a new chunk. An insertion at another position splits the full chunk in half.
    const half = chunk === this.#keys.length - 1 && place === keys.length ? keys.length : keys.length >> 1;
    this.#keys.splice(chunk + 1, 0, keys.splice(half));
    this.#values.splice(chunk + 1, 0, values.splice(half));
    const isLater = place >= half;
    const into = isLater ? chunk + 1 : chunk;
    this.#keys[into]?.splice(isLater ? place - half : place, 0, key);
    this.#values[into]?.splice(isLater ? place - half : place, 0, value);
  }

  delete(key: string): boolean {
    const chunk = this.#chunkOf(key);
    const keys = this.#keys[chunk];
    if (keys === undefined) return false;
    const place = this.#placeOf(keys, key);
    if (keys[place] !== key) return false;
    keys.splice(place, 1);
    this.#values[chunk]?.splice(place, 1);
    this.#size -= 1;
    if (keys.length === 0) {
      this.#keys.splice(chunk, 1);
      this.#values.splice(chunk, 1);
    }
    return true;
  }

  /** Visits entries in ascending order, starting with the first key that is not less than `from`. */
  up(from: string, visit: Visit<Value>): void {
    const first = this.#chunkOf(from);
    for (let chunk = first; chunk < this.#keys.length; chunk += 1) {
      const [keys, values] = [this.#keys[chunk] as string[], this.#values[chunk] as Value[]];
      for (let place = chunk === first ? this.#placeOf(keys, from) : 0; place < keys.length; place += 1)
        if (!visit(values[place] as Value, keys[place] as string)) return;
    }
  }

  /** Visits entries in descending order, starting with the last key that is less than `below` (if given). */
  down(below: string | undefined, visit: Visit<Value>): void {
    const first = below === undefined ? this.#keys.length - 1 : this.#chunkOf(below);
    for (let chunk = first; chunk >= 0; chunk -= 1) {
      const [keys, values] = [this.#keys[chunk], this.#values[chunk]];
      if (keys === undefined || values === undefined) return;
      const end = chunk === first && below !== undefined ? this.#placeOf(keys, below) : keys.length;
      for (let place = end - 1; place >= 0; place -= 1)
        if (!visit(values[place] as Value, keys[place] as string)) return;
    }
  }
}
