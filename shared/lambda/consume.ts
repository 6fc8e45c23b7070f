import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Worker } from '../contract/background-functions.ts';
import type { Store } from '../contract/define-store.ts';
import { internalErrorLogged } from '../contract/log-lines.ts';
import { Busy } from '../domain/deliveries/task.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { type BackgroundHandler, backgroundHandler } from './in-invocation.ts';
import { logError } from './logger.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';

/**
 * Creates the Lambda handler of a queue worker. `handle` receives the parsed payloads of a batch and returns one result
 * per payload, in the same order. A rejected payload returns to the queue and, after too many attempts, moves to the
 * dead-letter queue. If `handle` throws, the error is logged and the whole batch returns to the queue.
 */
export function consume<const W extends Worker, const Stores extends readonly Store[]>(
  worker: W,
  stores: Stores,
  handle: (
    payloads: z.output<W['payload']>[],
    tools: ToolsOf<W, Stores>,
  ) => Promise<readonly PromiseSettledResult<unknown>[]>,
): BackgroundHandler<SQSEvent, SQSBatchResponse> {
  const tools = lazyTools(worker, stores);
  const work = async (event: SQSEvent): Promise<SQSBatchResponse> => {
    if (event.Records.length === 0) throw new InternalError('emptyBatch', { worker: worker.worker });
    const failed: SQSRecord[] = [];
    const fail = (record: SQSRecord, reason: unknown): void => {
      failed.push(record);
      if (!(reason instanceof Busy))
        logError(internalErrorLogged, reason, { worker: worker.worker, record: record.messageId });
    };
    const readable: { record: SQSRecord; payload: z.output<W['payload']> }[] = [];
    for (const record of event.Records) {
      try {
        readable.push({ record, payload: worker.payload.parse(JSON.parse(record.body)) });
      } catch (error) {
        fail(record, new InternalError('unreadablePayload', { worker: worker.worker }, error));
      }
    }
    const results = await handle(
      readable.map(({ payload }) => payload),
      tools(),
    );
    for (const [index, { record }] of readable.entries()) {
      const result = results[index];
      if (result === undefined) fail(record, new InternalError('missingResult', { worker: worker.worker }));
      else if (result.status === 'rejected') fail(record, result.reason);
    }
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
  return backgroundHandler({ worker: worker.worker }, work);
}
