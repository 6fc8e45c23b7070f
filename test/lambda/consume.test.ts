import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { removeSubscriptions } from '../../shared/contract/workers/registry-workers.ts';
import { Busy } from '../../shared/domain/deliveries/task.ts';
import { InternalError } from '../../shared/domain/internal-errors.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { readConsole } from '../harness/console-lines.ts';
import { sqsEvent } from '../harness/lambda-events.ts';

const worker = { ...removeSubscriptions, payload: z.object({ id: z.string() }), uses: [], reads: [] } as const;
const marker = 'Zanzibar-4711';
const lines = readConsole();

/**
 * Returns a worker that rejects the payloads whose IDs are keys of `ends`. `seen` lists the IDs of all received
 * payloads.
 */
function aWorker(ends: Readonly<Record<string, unknown>> = {}) {
  const seen: string[] = [];
  const handler = consume(worker, [], async (payloads) => {
    seen.push(...payloads.map(({ id }) => id));
    return Promise.allSettled(payloads.map(({ id }) => (id in ends ? Promise.reject(ends[id]) : Promise.resolve())));
  });
  return { seen, handler };
}

const failures = (...records: number[]) => ({
  batchItemFailures: records.map((record) => ({ itemIdentifier: `record-${record}` })),
});

describe('consume', () => {
  it('a consumer passes the payloads of a batch to the worker in order', async () => {
    const { seen, handler } = aWorker();
    expect(await handler(sqsEvent({ id: 'a' }, { id: 'b' }))).toEqual(failures());
    expect(seen).toEqual(['a', 'b']);
    expect(lines.error).toEqual([]);
  });

  it('a consumer returns only after its work has ended, because Lambda freezes a function that has returned', async () => {
    const work = Promise.withResolvers<void>();
    const handler = consume(worker, [], (payloads) => Promise.allSettled(payloads.map(() => work.promise)));
    const context = { getRemainingTimeInMillis: () => 6 };
    const result = (handler as (event: unknown, context: unknown) => Promise<unknown>)(sqsEvent({ id: 'a' }), context);
    const timer = new Promise((resolve) => setTimeout(resolve, 50));
    expect(await Promise.race([result.catch(() => 'rejected'), timer])).toBeUndefined();
    work.resolve();
    expect(await result).toEqual(failures());
  });

  it("a consumer returns only failed records to the queue, and logs each failure once, without the record's data", async () => {
    const { handler } = aWorker({ b: new Error(marker), d: marker });
    const event = sqsEvent({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
    expect(await handler(event)).toEqual(failures(1, 3));
    expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
      { worker: 'removeSubscriptions', record: 'record-1', error: 'Error' },
      { worker: 'removeSubscriptions', record: 'record-3', error: 'string' },
    ]);
    expect(lines.error.join()).not.toContain(marker);
  });

  it.each(['not json', '', '[]', '{"id":7}', 'null'])(
    'a consumer fails only the record with the unreadable body %j',
    async (body) => {
      const { seen, handler } = aWorker();
      expect(await handler(sqsEvent({ id: 'a' }, body, { id: 'c' }))).toEqual(failures(1));
      expect(seen).toEqual(['a', 'c']);
      expect(lines.error).toHaveLength(1);
    },
  );

  it('a consumer assigns results to the right records even if an earlier record is unreadable', async () => {
    const { handler } = aWorker({ c: new Error('c') });
    expect(await handler(sqsEvent('not json', { id: 'b' }, { id: 'c' }))).toEqual(failures(0, 2));
  });

  it('a consumer does not log the content of an unreadable record', async () => {
    const { handler } = aWorker();
    await handler(sqsEvent(`{"id":"${marker}"`, { id: [marker] }));
    expect(lines.error).toHaveLength(2);
    expect(lines.error.map((line) => JSON.parse(line).error)).toEqual(['unreadablePayload', 'unreadablePayload']);
    expect(lines.error.join()).not.toContain(marker);
  });

  it('a consumer returns a busy record to the queue without logging an error', async () => {
    const { handler } = aWorker({ a: new Busy('in hand') });
    expect(await handler(sqsEvent({ id: 'a' }, { id: 'b' }))).toEqual(failures(0));
    expect(lines.error).toEqual([]);
  });

  it('a consumer returns a record to the queue if the worker returns no result for it', async () => {
    const handler = consume(worker, [], async () => [{ status: 'fulfilled', value: undefined }]);
    expect(await handler(sqsEvent({ id: 'a' }, { id: 'b' }))).toEqual(failures(1));
  });

  it('a consumer fails the whole batch if the worker throws an error', async () => {
    const handler = consume(worker, [], () => Promise.reject(new Error('no store')));
    await expect(handler(sqsEvent({ id: 'a' }))).rejects.toThrow('no store');
  });

  it("a consumer logs an error from the worker once, with the worker's name", async () => {
    const handler = consume(worker, [], () => Promise.reject(new InternalError('missingBody', { messageId: 'm-1' })));
    await expect(handler(sqsEvent({ id: 'a' }, { id: 'b' }))).rejects.toThrow('missingBody');
    expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
      { message: 'failed', worker: 'removeSubscriptions', error: 'missingBody', messageId: 'm-1' },
    ]);
  });

  it('a consumer rejects an event without records', async () => {
    await expect(aWorker().handler({ Records: [] })).rejects.toThrow('emptyBatch');
  });
});
