import { describe, expect, it } from 'vitest';
import { writeEither } from '../../shared/lambda/write-either.ts';
import { readConsole } from '../harness/console-lines.ts';

const lines = readConsole();
const logged = () => lines.error.map((line) => JSON.parse(line));
const ids = { messageId: 'm-1', taskKey: 'message' };
const works = () => Promise.resolve('done');
const breaks = (name: string) => Promise.reject(Object.assign(new Error('Zanzibar-4711'), { name }));

describe('keepEither', () => {
  it('says nothing when both writes are made', async () => {
    await writeEither({ queue: works(), deliveries: works() }, ids, 'publishEvent');
    expect(lines.error).toEqual([]);
  });

  it.each([
    ['queue', 'queueMissed', () => ({ queue: breaks('QueueDoesNotExist'), deliveries: works() })],
    ['deliveries', 'deliveryNotStored', () => ({ queue: works(), deliveries: breaks('QueueDoesNotExist') })],
  ] as const)('is content when the %s fails, and logs it as a fault with its ids', async (_what, error, writes) => {
    await writeEither(writes(), ids, 'publishEvent');
    expect(logged()).toMatchObject([
      { message: 'failed', operation: 'publishEvent', error, cause: 'QueueDoesNotExist', ...ids },
    ]);
    expect(lines.error.join()).not.toContain('Zanzibar-4711');
  });

  it('fails when both do, and leaves it to the caller to log that', async () => {
    const keeping = writeEither({ queue: breaks('One'), deliveries: breaks('Other') }, ids, 'publishEvent');
    await expect(keeping).rejects.toMatchObject({ errorName: 'keptNowhere', ids });
    await expect(keeping).rejects.toMatchObject({ cause: { errors: [{ name: 'One' }, { name: 'Other' }] } });
    expect(lines.error).toEqual([]);
  });

  it('waits for the slower of the two', async () => {
    let isWritten = false;
    const slow = new Promise((resolve) => setTimeout(resolve, 5)).then(() => {
      isWritten = true;
    });
    await writeEither({ queue: breaks('QueueDoesNotExist'), deliveries: slow }, ids, 'publishEvent');
    expect(isWritten).toBe(true);
  });
});
