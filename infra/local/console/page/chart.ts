import { dayMs, hourMs, isoTime, minuteMs } from '../../../../shared/domain/time.ts';
import type { Chart } from './state.ts';

/** The maximum number of events in a chart. The same limit applies to deliveries. The oldest are omitted. */
export const maxSamples = 5000;

const maxPoints = 48;
const minPoints = 24;
const periods = [10_000, minuteMs, 5 * minuteMs, 30 * minuteMs, hourMs, 6 * hourMs, dayMs, 7 * dayMs];

interface Delivered {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly latencyMs: number;
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Counts the events and computes the latency in each period. Uses the shortest period that allows the chart to cover
 * all samples. Times are in epoch milliseconds.
 */
export function chartOf(published: readonly number[], delivered: readonly Delivered[], now: number): Chart {
  const first = Math.min(now, ...published, ...delivered.map(({ at }) => at));
  const periodOf = (at: number, periodMs: number): number => Math.floor(at / periodMs);
  const isEnough = (periodMs: number): boolean => periodOf(now, periodMs) - periodOf(first, periodMs) < maxPoints;
  const periodMs = periods.find(isEnough) ?? 7 * dayMs;
  const last = periodOf(now, periodMs);
  const wanted = last - periodOf(first, periodMs) + 1;
  const start = last + 1 - Math.min(maxPoints, Math.max(minPoints, wanted));
  const events = Map.groupBy(published, (at) => periodOf(at, periodMs));
  const latencies = Map.groupBy(delivered, ({ at }) => periodOf(at, periodMs));
  const points = Array.from({ length: last - start + 1 }, (_, index) => ({
    at: isoTime((start + index) * periodMs),
    events: events.get(start + index)?.length ?? 0,
    latencyMs: median(latencies.get(start + index)?.map(({ latencyMs }) => latencyMs) ?? []),
  }));
  return { periodMs, points };
}

/**
 * Returns the time that a version 7 UUID contains, in epoch milliseconds. Returns undefined for messages that were
 * published with an idempotency key, because their ids contain no time.
 */
export function publishedAtOf(messageId: string): number | undefined {
  const [, high = '', low = ''] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(messageId) ?? [];
  return high === '' ? undefined : Number.parseInt(high + low, 16);
}
