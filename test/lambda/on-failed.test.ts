import { expect, it } from 'vitest';
import { deliveryFailed } from '../../shared/contract/log-lines.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import { readConsole } from '../harness/console-lines.ts';

const lines = readConsole();

it('writes the line that the stack counts, with ids and what the receiver did, and no fault', () => {
  onFailed('message-1', 'subscription-1', { class: 'http', status: 503 });
  onFailed('message-2', 'subscription-2', { class: 'timeout' });
  expect(lines.info.map((line) => JSON.parse(line))).toEqual([
    { message: deliveryFailed, messageId: 'message-1', subscription: 'subscription-1', class: 'http', status: 503 },
    { message: deliveryFailed, messageId: 'message-2', subscription: 'subscription-2', class: 'timeout' },
  ]);
  expect(lines.error).toEqual([]);
});
