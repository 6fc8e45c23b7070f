import { afterEach, expect, it, vi } from 'vitest';
import { deliveryAttempted, deliveryFailed } from '../../shared/contract/log-lines.ts';
import { metricVariables } from '../../shared/contract/metrics.ts';
import { writeMetrics } from '../../shared/lambda/emit-metrics.ts';
import { onAttempted, onFailed } from '../../shared/lambda/report-delivery.ts';
import { readConsole } from '../harness/console-lines.ts';
import { readEmbedded } from '../harness/embedded-metrics.ts';

const lines = readConsole();
afterEach(() => {
  vi.unstubAllEnvs();
});

it('onFailed logs IDs and the result at INFO level, so that the failure metric counts the delivery', () => {
  onFailed('message-1', 'subscription-1', { class: 'http', status: 503 });
  onFailed('message-2', 'subscription-2', { class: 'timeout' });
  expect(lines.info.map((line) => JSON.parse(line))).toEqual([
    { message: deliveryFailed, messageId: 'message-1', subscription: 'subscription-1', class: 'http', status: 503 },
    { message: deliveryFailed, messageId: 'message-2', subscription: 'subscription-2', class: 'timeout' },
  ]);
  expect(lines.error).toEqual([]);
});

it('onAttempted logs IDs and the result at DEBUG level, which Lambda drops by default', () => {
  const outcome = { class: 'http' as const, status: 503, at: 0, tookMs: 12, body: 'secret' };
  onAttempted('message-1', 'subscription-1', 2, outcome);
  const ids = { message: deliveryAttempted, messageId: 'message-1', subscription: 'subscription-1' };
  expect(lines.debug.map((line) => JSON.parse(line))).toEqual([
    { ...ids, at: '1970-01-01T00:00:00.000Z', attempt: 2, class: 'http', status: 503, milliseconds: 12 },
  ]);
  expect([...lines.info, ...lines.error]).toEqual([]);
});

it('onAttempted measures the time of delivered attempts only', () => {
  vi.stubEnv(metricVariables.namespace, 'n');
  vi.stubEnv(metricVariables.function, 'f');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  writeMetrics();
  written.mockClear();
  for (const kind of ['timeout', 'delivered'] as const) onAttempted('m', 's', 0, { class: kind, at: 0, tookMs: 12 });
  writeMetrics();
  const metrics = written.mock.calls.flatMap(([text]) => readEmbedded(String(text)));
  expect(metrics.filter(({ name }) => name === 'DeliveryTime')).toMatchObject([{ values: [12] }]);
});
