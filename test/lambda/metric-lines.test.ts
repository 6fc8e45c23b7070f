import { expect, it } from 'vitest';
import { type MetricValue, metricLines } from '../../shared/lambda/metric-lines.ts';
import { readEmbedded } from '../harness/embedded-metrics.ts';

const lag = (value: number): MetricValue => ({ name: 'FirstAttemptLag', value, of: 'deliverByHttp' });
const attempt = (of: string): MetricValue => ({ name: 'Attempts', value: 1, of });
const read = (given: readonly MetricValue[]) => {
  const lines = metricLines(given, 'IdentityRegistry/dev', 1_700_000_000_000);
  return { count: lines.length, read: lines.flatMap(readEmbedded) };
};
const ours = { namespace: 'IdentityRegistry/dev' };
const ofFunction = { ...ours, unit: 'Milliseconds', dimensions: { Function: 'deliverByHttp' } };
const ofClass = (Class: string) => ({ ...ours, name: 'Attempts', unit: 'Count', dimensions: { Class } });

it('is one line for an invocation: counts are added up, what is measured is kept', () => {
  expect(read([attempt('delivered'), lag(12), attempt('delivered'), lag(9.5)])).toEqual({
    count: 1,
    read: [
      { ...ofClass('delivered'), values: [2] },
      { ...ofFunction, name: 'FirstAttemptLag', values: [12, 9.5] },
    ],
  });
});

it('is a line more for each further value of a dimension, and loses none', () => {
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

it('is a line more for every hundred values of a metric, which is all that CloudWatch reads', () => {
  const many = Array.from({ length: 250 }, (_, index) => index);
  const { count, read: metrics } = read(many.map(lag));
  expect(count).toBe(3);
  expect(metrics.flatMap(({ values }) => values)).toEqual(many);
});

it('is nothing where there is nothing to tell', () => {
  expect(metricLines([], 'IdentityRegistry/dev', 0)).toEqual([]);
});
