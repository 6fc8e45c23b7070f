import { expect, it } from 'vitest';
import { chartOf, publishedAtOf } from '../../../../../infra/local/console/page/chart.ts';

const now = Date.parse('2026-11-20T08:00:05Z');

it('the chart shows the number of events in each period and their median latency', () => {
  const late = [1, 5, 90].map((latencyMs) => ({ at: now - 1000, latencyMs }));
  const { periodMs, points } = chartOf([now - 15_000, now - 2000, now - 1000], late, now);
  expect(periodMs).toBe(10_000);
  expect(points).toHaveLength(24);
  expect(points.slice(-2)).toEqual([
    { at: '2026-11-20T07:59:50.000Z', events: 1, latencyMs: undefined },
    { at: '2026-11-20T08:00:00.000Z', events: 2, latencyMs: 5 },
  ]);
});

it('the chart increases the length of its periods until it shows all events, up to 48 weeks', () => {
  const chartSince = (minutes: number) => chartOf([now - minutes * 60_000, now], [], now);
  expect([45, 180, 600_000].map((minutes) => chartSince(minutes).periodMs / 60_000)).toEqual([1, 5, 7 * 24 * 60]);
  expect(chartSince(600_000).points).toHaveLength(48);
});

it('publishedAtOf reads the publication time from a version 7 UUID, and returns undefined for all other IDs', () => {
  expect(publishedAtOf('019aa03c-5d88-7c3e-8a51-6d0f1b2c3d4e')).toBe(0x019aa03c5d88);
  expect(publishedAtOf('019aa03c-5d88-8c3e-8a51-6d0f1b2c3d4e')).toBeUndefined();
});
