import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { metricVariables } from '../../shared/contract/metrics.ts';
import { addMetric, writeMetrics } from '../../shared/lambda/emit-metrics.ts';
import { readEmbedded } from '../harness/embedded-metrics.ts';

let written: string[] = [];
beforeEach(() => {
  written = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const deployed = () => {
  vi.stubEnv(metricVariables.namespace, 'IdentityRegistry/prod');
  vi.stubEnv(metricVariables.function, 'generateUin');
};

it('writeMetrics writes the metric values of an invocation once, on a separate line', () => {
  deployed();
  addMetric('UinsMinted');
  writeMetrics();
  writeMetrics();
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(/^\{.*\}\n$/);
  expect(readEmbedded(written[0] ?? '')).toEqual([
    {
      namespace: 'IdentityRegistry/prod',
      name: 'UinsMinted',
      unit: 'Count',
      dimensions: { Function: 'generateUin' },
      values: [1],
    },
  ]);
});

it('writeMetrics discards the metric values if the function does not run in a deployed stack', () => {
  addMetric('UinsMinted');
  writeMetrics();
  deployed();
  writeMetrics();
  expect(written).toEqual([]);
});
