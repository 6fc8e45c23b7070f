import { expect, it } from 'vitest';
import { writeEither } from '../../shared/lambda/write-either.ts';
import { readConsole } from '../harness/console-lines.ts';

readConsole();

// The tests of publishEvent cover writes that fail.
it('writeEither waits for the slower write, even if the other write fails', async () => {
  let isWritten = false;
  const deliveries = new Promise((resolve) => setTimeout(resolve, 5)).then(() => {
    isWritten = true;
  });
  const queue = Promise.reject(new Error('down'));
  await writeEither({ queue, deliveries }, { messageId: 'm-1', taskKey: 'message' }, 'publishEvent');
  expect(isWritten).toBe(true);
});
