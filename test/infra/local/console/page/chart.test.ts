import { expect, it } from 'vitest';
import { chartOf, publishedAtOf } from '../../../../../infra/local/console/page/chart.ts';

const now = Date.parse('2026-11-20T08:00:05Z');
const minute = 60_000;

it('the chart counts events per period and shows their median latency', () => {
  const late = [1, 5, 90].map((latencyMs) => ({ at: now - 1000, latencyMs }));
  const { periodMs, points } = chartOf([now - 15_000, now - 2000, now - 1000], late, now);
  expect(periodMs).toBe(10_000);
  expect(points).toHaveLength(24);
  expect(points.slice(-2)).toEqual([
    { at: '2026-11-20T07:59:50.000Z', events: 1, latencyMs: undefined },
    { at: '2026-11-20T08:00:00.000Z', events: 2, latencyMs: 5 },
  ]);
});

it.each([
  [45 * minute, minute],
  [3 * 60 * minute, 5 * minute],
  [400 * 24 * 60 * minute, 7 * 24 * 60 * minute],
])('the periods of the chart cover events of the last %j ms, but at most 48 weeks', (age, periodMs) => {
  const chart = chartOf([now - age, now], [], now);
  expect(chart.periodMs).toBe(periodMs);
  expect(chart.points.length).toBeLessThanOrEqual(48);
});

it('a version 7 UUID contains the time of publication, and other ids contain none', () => {
  expect(publishedAtOf('019aa03c-5d88-7c3e-8a51-6d0f1b2c3d4e')).toBe(0x019aa03c5d88);
  expect(publishedAtOf('019aa03c-5d88-8c3e-8a51-6d0f1b2c3d4e')).toBeUndefined();
});
