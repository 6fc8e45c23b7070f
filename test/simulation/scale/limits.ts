/** A limit that was reached: when first, and how often. */
export interface Reached {
  readonly limit: string;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly times: number;
}

/** Notes which limits are reached, and when. */
export class Limits {
  readonly #reached = new Map<string, { firstAt: number; lastAt: number; times: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(limit: string): void {
    const known = this.#reached.get(limit);
    if (known === undefined) this.#reached.set(limit, { firstAt: this.#now(), lastAt: this.#now(), times: 1 });
    else {
      known.times += 1;
      known.lastAt = this.#now();
    }
  }

  /** Those reached, the first first. */
  inOrder(): Reached[] {
    const all = [...this.#reached].map(([limit, one]) => ({ limit, ...one }));
    return all.toSorted((a, b) => a.firstAt - b.firstAt);
  }
}
