import type { Capacity, Charge } from '../dynamodb/capacity.ts';
import { hashOf } from '../dynamodb/hash.ts';
import { Partition } from './partition.ts';

// The initial throughput of a new on-demand table and of each index. The throughput grows to twice the previous peak
// within 30 minutes ("Throughput default quotas" and "DynamoDB warm throughput" in the Amazon DynamoDB Developer
// Guide).
const newTableWrites = 4000;
const doublesEveryMs = 30 * 60_000;
// The maximum number of writes per second to a partition ("Partitions and data distribution"). The maximum number of
// reads per second is three times as high.
const partitionWrites = 1000;
// The time until a split is an estimate, because AWS does not document how long a partition must be hot.
const splitsAfterMs = 5 * 60_000;
const keys = 2 ** 32;

interface Place {
  partitions: Partition[];
  /** The start of the period for which the peak write rate is measured. */
  since: number;
  level: number;
  /** The number of writes in the current second, and the maximum number of writes per second in this period. */
  readonly writes: { second: number; units: number; peak: number };
}

interface CapacityOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Returns the warm throughput of a table or of an index such as `deliveries/bySweep`, in writes per second. */
  readonly warmWrites: (place: string) => number | undefined;
  /** Called for each throttled request. */
  readonly onThrottle: (charge: Charge, place: string) => void;
  /** Called for each charge of an accepted request. */
  readonly onTaken?: (charge: Charge) => void;
}

export const placeOf = ({ table, index }: Pick<Charge, 'table' | 'index'>): string =>
  index === undefined ? table : `${table}/${index}`;

const evenly = (count: number, now: number): Partition[] =>
  Array.from({ length: count }, (_, at) => new Partition((keys * at) / count, (keys * (at + 1)) / count, now));

/**
 * Returns a model of on-demand tables with physical partitions. The hash of a key determines its partition. Hot
 * partitions are split, and the capacity grows to twice the previous peak.
 */
export function partitionedCapacity({ now, warmWrites, onThrottle, onTaken }: CapacityOptions): Capacity {
  const places = new Map<string, Place>();

  function open(name: string): Place {
    const level = Math.max(newTableWrites, warmWrites(name) ?? 0);
    const partitions = evenly(Math.ceil(level / partitionWrites), now());
    const place = { partitions, since: now(), level, writes: { second: 0, units: 0, peak: 0 } };
    places.set(name, place);
    return place;
  }

  /** Every half hour, raises the capacity to twice the previous peak. */
  function grow(place: Place): void {
    if (now() - place.since < doublesEveryMs) return;
    place.since = now();
    const wanted = Math.max(place.level, 2 * place.writes.peak);
    place.writes.peak = 0;
    if (wanted <= place.level) return;
    place.level = wanted;
    while (place.partitions.length < Math.ceil(wanted / partitionWrites)) {
      const widest = place.partitions.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
      splitUp(place, widest);
    }
  }

  function splitUp(place: Place, partition: Partition): void {
    place.partitions = place.partitions.flatMap((one) => (one === partition ? one.split(now()) : [one]));
  }

  function count({ writes }: Place, units: number): void {
    const second = Math.floor(now() / 1000);
    if (writes.second !== second) Object.assign(writes, { second, units: 0 });
    writes.units += units;
    writes.peak = Math.max(writes.peak, writes.units);
  }

  function partitionOf(charge: Charge): { place: Place; partition: Partition } {
    const name = placeOf(charge);
    const place = places.get(name) ?? open(name);
    grow(place);
    const hash = hashOf(charge.key);
    let [low, high] = [0, place.partitions.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((place.partitions[middle] as Partition).from <= hash) low = middle;
      else high = middle - 1;
    }
    return { place, partition: place.partitions[low] as Partition };
  }

  return {
    take(charges) {
      for (const charge of charges) {
        const { place, partition } = partitionOf(charge);
        if (partition.hasRoom(charge.of, now())) continue;
        onThrottle(charge, placeOf(charge));
        if (partition.isHotFor(splitsAfterMs, now())) splitUp(place, partition);
        return charge;
      }
      for (const charge of charges) {
        const { place, partition } = partitionOf(charge);
        partition.take(charge.of, charge.units);
        if (charge.of === 'writes') count(place, charge.units);
        onTaken?.(charge);
      }
      return undefined;
    },
  };
}
