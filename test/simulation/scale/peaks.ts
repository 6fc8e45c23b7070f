import type { Charge } from '../dynamodb/capacity.ts';

/** The units used in the current second, and the maximum number of units used in any second. */
interface Rate {
  second: number;
  units: number;
  peak: number;
  /** The maximum since the previous call to `takePeak`. */
  recent: number;
}

export interface Peak {
  readonly place: string;
  readonly key: string;
  readonly unitsPerSecond: number;
}

const newRate = (): Rate => ({ second: 0, units: 0, peak: 0, recent: 0 });

function add(rate: Rate, units: number, second: number): void {
  if (rate.second !== second) {
    rate.second = second;
    rate.units = 0;
  }
  rate.units += units;
  rate.peak = Math.max(rate.peak, rate.units);
  rate.recent = Math.max(rate.recent, rate.units);
}

/**
 * Counts units per second, and keeps the maximum for each table, index and key. A key that belongs to only one row is
 * not counted.
 */
export class Peaks {
  readonly #places = new Map<string, Rate>();
  readonly #keys = { writes: new Map<string, Rate>(), reads: new Map<string, Rate>() };
  readonly #reads = new Map<string, Rate>();
  readonly #isCounted: (place: string) => boolean;

  /** @param isCounted returns whether several rows of a table or index can share a key */
  constructor(isCounted: (place: string) => boolean) {
    this.#isCounted = isCounted;
  }

  count({ of, key, units }: Charge, place: string, now: number): void {
    const second = Math.floor(now / 1000);
    const places = of === 'writes' ? this.#places : this.#reads;
    const rate = places.get(place) ?? newRate();
    places.set(place, rate);
    add(rate, units, second);
    if (!this.#isCounted(place)) return;
    const name = `${place}\0${key}`;
    const ofKey = this.#keys[of].get(name) ?? newRate();
    this.#keys[of].set(name, ofKey);
    add(ofKey, units, second);
  }

  /** Returns the maximum number of writes per second since the previous call. */
  takePeak(place: string): number {
    const rate = this.#places.get(place);
    if (rate === undefined) return 0;
    const { recent } = rate;
    rate.recent = 0;
    return recent;
  }

  /** Returns the maximum number of writes or reads per second of a whole table or index. */
  ofPlace(of: 'writes' | 'reads', place: string): number {
    return (of === 'writes' ? this.#places : this.#reads).get(place)?.peak ?? 0;
  }

  places(): string[] {
    return [...new Set([...this.#places.keys(), ...this.#reads.keys()])].toSorted();
  }

  hottest(of: 'writes' | 'reads', place: string): Peak | undefined {
    let hottest: Peak | undefined;
    for (const [name, { peak }] of this.#keys[of]) {
      const at = name.indexOf('\0');
      if (name.slice(0, at) !== place || peak <= (hottest?.unitsPerSecond ?? 0)) continue;
      hottest = { place, key: name.slice(at + 1), unitsPerSecond: peak };
    }
    return hottest;
  }
}
