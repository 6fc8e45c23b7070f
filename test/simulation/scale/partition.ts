const perSecond = { writes: 1000, reads: 3000 } as const;
type Kind = keyof typeof perSecond;

// A partition stops being hot after a minute without throttled requests.
const coolsAfterMs = 60_000;

/** A physical partition with a range of key hashes and its remaining capacity. */
export class Partition {
  readonly from: number;
  readonly to: number;
  readonly #left = { ...perSecond } as Record<Kind, number>;
  #at: number;
  #hotSince: number | undefined;
  #throttledAt = 0;

  constructor(from: number, to: number, now: number) {
    this.from = from;
    this.to = to;
    this.#at = now;
  }

  /**
   * Returns whether any capacity is left. A request may exceed the remaining capacity, but then delays later requests.
   */
  hasRoom(kind: Kind, now: number): boolean {
    const passed = (now - this.#at) / 1000;
    if (passed > 0) {
      this.#at = now;
      for (const one of ['writes', 'reads'] as const)
        this.#left[one] = Math.min(perSecond[one], this.#left[one] + passed * perSecond[one]);
    }
    if (this.#left[kind] > 0) return true;
    if (this.#hotSince === undefined || now - this.#throttledAt > coolsAfterMs) this.#hotSince = now;
    this.#throttledAt = now;
    return false;
  }

  take(kind: Kind, units: number): void {
    this.#left[kind] -= units;
  }

  isHotFor(ms: number, now: number): boolean {
    return this.#hotSince !== undefined && now - this.#hotSince >= ms;
  }

  split(now: number): Partition[] {
    const middle = (this.from + this.to) / 2;
    return [new Partition(this.from, middle, now), new Partition(middle, this.to, now)];
  }
}
