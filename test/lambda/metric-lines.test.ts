import { expect, it } from 'vitest';
import { type MetricValue, metricLines } from '../../shared/lambda/emit-metrics.ts';
import { readEmbedded } from '../harness/embedded-metrics.ts';

const lag = (value: number): MetricValue => ({ name: 'FirstAttemptLag', value, of: 'deliverByHttp' });
const attempt = (of: string): MetricValue => ({ name: 'Attempts', value: 1, of });
const read = (given: readonly MetricValue[]) => {
  const lines = metricLines(given, 'IdentityRegistry/dev', 1_700_000_000_000);
  return { count: lines.length, read: lines.flatMap(readEmbedded) };
};
const common = { namespace: 'IdentityRegistry/dev' };
const ofFunction = { ...common, unit: 'Milliseconds', dimensions: { Function: 'deliverByHttp' } };
const ofClass = (Class: string) => ({ ...common, name: 'Attempts', unit: 'Count', dimensions: { Class } });

it('metricLines writes one line per invocation, with the sum of each count and all values of each measurement', () => {
  expect(read([attempt('delivered'), lag(12), attempt('delivered'), lag(9.5)])).toEqual({
    count: 1,
    read: [
      { ...ofClass('delivered'), values: [2] },
      { ...ofFunction, name: 'FirstAttemptLag', values: [12, 9.5] },
    ],
  });
});

it('metricLines writes another line for each additional value of a dimension, and loses no values', () => {
  expect(read([attempt('delivered'), attempt('timeout'), lag(1), attempt('http'), attempt('timeout')])).toEqual({
    count: 3,
    read: [
      { ...ofClass('delivered'), values: [1] },
      { ...ofFunction, name: 'FirstAttemptLag', values: [1] },
      { ...ofClass('timeout'), values: [2] },
      { ...ofClass('http'), values: [1] },
    ],
  });
});

it('metricLines writes another line after every 100 values of a metric, because CloudWatch reads at most 100 per line', () => {
  const many = Array.from({ length: 250 }, (_, index) => index);
  const { count, read: metrics } = read(many.map(lag));
  expect(count).toBe(3);
  expect(metrics.flatMap(({ values }) => values)).toEqual(many);
});

it('metricLines returns no lines if there are no values', () => {
  expect(metricLines([], 'IdentityRegistry/dev', 0)).toEqual([]);
});
