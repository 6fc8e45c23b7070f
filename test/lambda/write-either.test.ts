import { describe, expect, it } from 'vitest';
import { writeEither } from '../../shared/lambda/write-either.ts';
import { readConsole } from '../harness/console-lines.ts';

const lines = readConsole();
const logged = () => lines.error.map((line) => JSON.parse(line));
const ids = { messageId: 'm-1', taskKey: 'message' };
const succeeds = () => Promise.resolve('done');
const fails = (name: string) => Promise.reject(Object.assign(new Error('Zanzibar-4711'), { name }));

describe('writeEither', () => {
  it('writeEither logs nothing if both writes succeed', async () => {
    await writeEither({ queue: succeeds(), deliveries: succeeds() }, ids, 'publishEvent');
    expect(lines.error).toEqual([]);
  });

  it.each([
    ['queue', 'queueMissed', () => ({ queue: fails('QueueDoesNotExist'), deliveries: succeeds() })],
    ['deliveries', 'deliveryNotStored', () => ({ queue: succeeds(), deliveries: fails('QueueDoesNotExist') })],
  ] as const)(
    'writeEither succeeds if the write to the %s fails, and logs the failure with the given ids',
    async (_what, error, writes) => {
      await writeEither(writes(), ids, 'publishEvent');
      expect(logged()).toMatchObject([
        { message: 'failed', operation: 'publishEvent', error, cause: 'QueueDoesNotExist', ...ids },
      ]);
      expect(lines.error.join()).not.toContain('Zanzibar-4711');
    },
  );

  it('writeEither fails if both writes fail, and logs nothing, because the caller logs the failure', async () => {
    const writing = writeEither({ queue: fails('One'), deliveries: fails('Other') }, ids, 'publishEvent');
    await expect(writing).rejects.toMatchObject({ errorName: 'keptNowhere', ids });
    await expect(writing).rejects.toMatchObject({ cause: { errors: [{ name: 'One' }, { name: 'Other' }] } });
    expect(lines.error).toEqual([]);
  });

  it('waits for the slower write', async () => {
    let isWritten = false;
    const slow = new Promise((resolve) => setTimeout(resolve, 5)).then(() => {
      isWritten = true;
    });
    await writeEither({ queue: fails('QueueDoesNotExist'), deliveries: slow }, ids, 'publishEvent');
    expect(isWritten).toBe(true);
  });
});
