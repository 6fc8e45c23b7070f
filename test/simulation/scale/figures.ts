import type { Received, Receivers } from './receivers.ts';

/** How one message did with those who were due. */
export interface Reach {
  readonly due: number;
  readonly reached: number;
  /** Milliseconds from its publication until so many of them had it; undefined while they have not. */
  readonly ms: Readonly<Record<'half' | 'most' | 'all', number | undefined>>;
  readonly lost: number;
  readonly doubled: number;
}

const shares = { half: 0.5, most: 0.99, all: 1 } as const;

/**
 * Judges a message. @param isWaiting whether the ledger still knows of work for a receiver, by its number: what waits is not lost
 */
export function reachOf(
  received: Received | undefined,
  publishedAt: number,
  dueNumbers: Iterable<number>,
  isWaiting: (number: number) => boolean,
): Reach {
  const times: number[] = [];
  let [due, lost, doubled] = [0, 0, 0];
  for (const number of dueNumbers) {
    due += 1;
    const got = received?.times[number] ?? 0;
    if (got > 0) times.push((received?.firstAt[number] ?? 0) - publishedAt);
    else if (!isWaiting(number)) lost += 1;
    doubled += Math.max(0, got - 1);
  }
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number | undefined => sorted[Math.ceil(due * share) - 1];
  const ms = { half: at(shares.half), most: at(shares.most), all: at(shares.all) };
  return { due, reached: times.length, ms, lost, doubled };
}

/** The numbers of the receivers by http that are well. */
export function* healthy(receivers: Receivers, subscribers: number): Generator<number> {
  for (let number = 0; number < subscribers; number += 1) if (receivers.kindOf(number) === 'healthy') yield number;
}

export function* range(from: number, to: number): Generator<number> {
  for (let number = from; number < to; number += 1) yield number;
}
