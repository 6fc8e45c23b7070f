import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Store } from '../contract/define-store.ts';
import { faultLogged } from '../contract/log-lines.ts';
import type { Worker } from '../contract/worker.ts';
import { Busy } from '../model/deliveries/busy.ts';
import { Fault } from '../model/faults.ts';
import { tellsMetrics } from './emit-metrics.ts';
import { inInvocation } from './in-invocation.ts';
import { killedAtTheEnd } from './killed-at-the-end.ts';
import { logFault } from './logger.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';

type QueueHandler = (event: SQSEvent, context?: Context) => Promise<SQSBatchResponse>;

/**
 * Makes the Lambda handler of a queue worker. The given function gets the payloads of a batch, parsed, and answers one
 * result for each, in order; a rejected one goes back to the queue alone and, after its tries, to the dead letters. What
 * it throws is logged as a fault, and the whole batch goes back.
 */
export function consume<const W extends Worker, const Stores extends readonly Store[]>(
  worker: W,
  stores: Stores,
  handle: (
    payloads: z.output<W['payload']>[],
    tools: ToolsOf<W, Stores>,
  ) => Promise<readonly PromiseSettledResult<unknown>[]>,
): QueueHandler {
  const tools = lazyTools(worker, stores);
  const work = async (event: SQSEvent): Promise<SQSBatchResponse> => {
    if (event.Records.length === 0) throw new Fault('emptyBatch', { worker: worker.worker });
    const failed: SQSRecord[] = [];
    const fail = (record: SQSRecord, reason: unknown): void => {
      failed.push(record);
      if (!(reason instanceof Busy)) logFault(faultLogged, reason, { worker: worker.worker, record: record.messageId });
    };
    const readable: { record: SQSRecord; payload: z.output<W['payload']> }[] = [];
    for (const record of event.Records) {
      try {
        readable.push({ record, payload: worker.payload.parse(JSON.parse(record.body)) });
      } catch (error) {
        fail(record, new Fault('unreadablePayload', { worker: worker.worker }, error));
      }
    }
    const results = await handle(
      readable.map(({ payload }) => payload),
      tools(),
    );
    for (const [index, { record }] of readable.entries()) {
      const result = results[index];
      if (result === undefined) fail(record, new Fault('missingResult', { worker: worker.worker }));
      else if (result.status === 'rejected') fail(record, result.reason);
    }
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
  // The types of middy ask callers for the context, too, which tests need not give.
  const onError = ({ error }: { error: unknown }) => logFault(faultLogged, error, { worker: worker.worker });
  return middy<SQSEvent, SQSBatchResponse>({ ...killedAtTheEnd, ...tellsMetrics })
    .onError(onError)
    .handler((event, context) => inInvocation(context, () => work(event))) as unknown as QueueHandler;
}
