import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { redeliver } from '../../shared/contract/jobs.ts';
import { InternalError } from '../../shared/domain/internal-errors.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { readConsole } from '../harness/console-lines.ts';

const job = { ...redeliver, input: z.object({ id: z.string() }), uses: [], reads: ['deliveryDays'] } as const;
const marker = 'Zanzibar-4711';
const lines = readConsole();

/** Returns a job whose summary contains the number of completed runs and the `deliveryDays` setting. */
function aJob() {
  const seen: unknown[] = [];
  const handler = perform(job, [], async (input, { settings }) => {
    seen.push(input);
    return { runs: seen.length, deliveryDays: settings.deliveryDays };
  });
  return { seen, handler };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

it("perform passes the input and the settings to the job and returns the job's summary", async () => {
  vi.stubEnv('DELIVERY_DAYS', '7');
  const { seen, handler } = aJob();
  expect(await handler({ id: 'a' })).toEqual({ runs: 1, deliveryDays: 7 });
  expect(seen).toEqual([{ id: 'a' }]);
});

it("perform logs the job's summary on one line, with the name of the job", async () => {
  vi.stubEnv('DELIVERY_DAYS', '7');
  await aJob().handler({ id: 'a' });
  expect(lines.info.map((line) => JSON.parse(line))).toEqual([
    { message: 'performed', job: 'redeliver', runs: 1, deliveryDays: 7 },
  ]);
  expect(lines.error).toEqual([]);
});

it.each([undefined, null, {}, { id: 7 }, marker])(
  'perform rejects the input %j without running the job',
  async (event) => {
    vi.stubEnv('DELIVERY_DAYS', '7');
    const { seen, handler } = aJob();
    await expect(handler(event)).rejects.toThrow();
    expect(seen).toEqual([]);
    expect(lines.info).toEqual([]);
  },
);

it('perform reads the settings once, when the job first runs', async () => {
  const { handler } = aJob();
  vi.stubEnv('DELIVERY_DAYS', '7');
  await handler({ id: 'a' });
  vi.stubEnv('DELIVERY_DAYS', '8');
  expect(await handler({ id: 'b' })).toEqual({ runs: 2, deliveryDays: 7 });
});

it('perform throws the error of a failed job, and logs no summary', async () => {
  vi.stubEnv('DELIVERY_DAYS', '7');
  const handler = perform(job, [], () => Promise.reject(new Error('no store')));
  await expect(handler({ id: 'a' })).rejects.toThrow('no store');
  expect(lines.info).toEqual([]);
});

it('perform logs an error from the job once, with the name of the job', async () => {
  vi.stubEnv('DELIVERY_DAYS', '7');
  const handler = perform(job, [], () => Promise.reject(new InternalError('missingBody', { messageId: 'm-1' })));
  await expect(handler({ id: 'a' })).rejects.toThrow('missingBody');
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'failed', job: 'redeliver', error: 'missingBody', messageId: 'm-1' },
  ]);
});

it('perform logs that an input is unreadable, but does not log the input', async () => {
  await expect(aJob().handler({ id: [marker] })).rejects.toThrow('unreadableInput');
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([{ error: 'unreadableInput', job: 'redeliver' }]);
  expect(lines.error.join()).not.toContain(marker);
});

it('perform throws an error if a setting is missing', async () => {
  vi.stubEnv('DELIVERY_DAYS', undefined);
  await expect(aJob().handler({ id: 'a' })).rejects.toThrow('DELIVERY_DAYS');
});
