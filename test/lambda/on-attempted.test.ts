import { expect, it } from 'vitest';
import { deliveryAttempted } from '../../shared/contract/log-lines.ts';
import { onAttempted } from '../../shared/lambda/on-attempted.ts';
import { readConsole } from '../harness/console-lines.ts';

const lines = readConsole();

it('writes ids and how it ended, and nothing that Lambda keeps by itself', () => {
  const outcome = { class: 'http' as const, status: 503, tookMs: 12, body: 'secret' };
  onAttempted('message-1', 'subscription-1', 2, outcome);
  const ids = { message: deliveryAttempted, messageId: 'message-1', subscription: 'subscription-1' };
  expect(lines.debug.map((line) => JSON.parse(line))).toEqual([
    { ...ids, attempt: 2, class: 'http', status: 503, milliseconds: 12 },
  ]);
  expect([...lines.info, ...lines.error]).toEqual([]);
});
