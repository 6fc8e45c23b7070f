/** A limit that was reached, with the number of occurrences and the times of the first and the last occurrence. */
interface Reached {
  readonly limit: string;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly times: number;
}

/** Records when each limit is reached. */
export class Limits {
  readonly #reached = new Map<string, { firstAt: number; lastAt: number; times: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  record(limit: string): void {
    const entry = this.#reached.get(limit);
    if (entry === undefined) this.#reached.set(limit, { firstAt: this.#now(), lastAt: this.#now(), times: 1 });
    else {
      entry.times += 1;
      entry.lastAt = this.#now();
    }
  }

  /** Returns the reached limits in the order in which they were first reached. */
  inOrder(): Reached[] {
    const all = [...this.#reached].map(([limit, one]) => ({ limit, ...one }));
    return all.toSorted((a, b) => a.firstAt - b.firstAt);
  }
}
