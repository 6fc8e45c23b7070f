/** An entry of the heap. Entries with the same time are returned in ascending order of their numbers. */
interface Timed {
  readonly at: number;
  readonly order: number;
}

const isBefore = (a: Timed, b: Timed): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap that returns the earliest entry first. */
export class Heap<Entry extends Timed> {
  private readonly entries: Entry[] = [];

  peek(): Entry | undefined {
    return this.entries[0];
  }

  push(entry: Entry): void {
    const { entries } = this;
    let index = entries.length;
    entries.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = entries[parent] as Entry;
      if (!isBefore(entry, above)) break;
      entries[index] = above;
      index = parent;
    }
    entries[index] = entry;
  }

  pop(): Entry | undefined {
    const { entries } = this;
    const first = entries[0];
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= entries.length) break;
      const right = child + 1;
      if (right < entries.length && isBefore(entries[right] as Entry, entries[child] as Entry)) child = right;
      if (!isBefore(entries[child] as Entry, last)) break;
      entries[index] = entries[child] as Entry;
      index = child;
    }
    entries[index] = last;
    return first;
  }
}
