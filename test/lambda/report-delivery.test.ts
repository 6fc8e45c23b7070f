import { expect, it } from 'vitest';
import { deliveryAttempted, deliveryFailed } from '../../shared/contract/log-lines.ts';
import { onAttempted, onFailed } from '../../shared/lambda/report-delivery.ts';
import { readConsole } from '../harness/console-lines.ts';

const lines = readConsole();

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
