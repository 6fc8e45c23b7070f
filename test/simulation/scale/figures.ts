import type { Received, Receivers } from './receivers.ts';

/** The delivery results of one message. */
export interface Reach {
  readonly due: number;
  readonly reached: number;
  /**
   * The number of milliseconds from publication until the given share of subscribers had received the message.
   * Undefined if too few subscribers received the message.
   */
  readonly ms: Readonly<Record<'p50' | 'p99' | 'all', number | undefined>>;
  readonly lost: number;
  readonly duplicates: number;
}

const shares = { p50: 0.5, p99: 0.99, all: 1 } as const;

/**
 * Returns the delivery results of one message.
 * @param isWaiting returns whether a delivery to a receiver is still pending. Pending deliveries do not count as lost.
 */
export function reachOf(
  received: Received | undefined,
  publishedAt: number,
  dueNumbers: Iterable<number>,
  isWaiting: (number: number) => boolean,
): Reach {
  const times: number[] = [];
  let [due, lost, duplicates] = [0, 0, 0];
  for (const number of dueNumbers) {
    due += 1;
    const got = received?.times[number] ?? 0;
    if (got > 0) times.push((received?.firstAt[number] ?? 0) - publishedAt);
    else if (!isWaiting(number)) lost += 1;
    duplicates += Math.max(0, got - 1);
  }
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number | undefined => sorted[Math.ceil(due * share) - 1];
  const ms = { p50: at(shares.p50), p99: at(shares.p99), all: at(shares.all) };
  return { due, reached: times.length, ms, lost, duplicates };
}

export function* healthy(receivers: Receivers, subscribers: number): Generator<number> {
  for (let number = 0; number < subscribers; number += 1) if (receivers.kindOf(number) === 'healthy') yield number;
}

export function* range(from: number, to: number): Generator<number> {
  for (let number = from; number < to; number += 1) yield number;
}
