import { setTimeout as sleep } from 'node:timers/promises';
import type { AwsClient } from '../emulators/aws-client.ts';
import { readFunctionGrants } from '../template/access.ts';
import { account } from '../template/identifiers.ts';
import { readKeys, withKeys } from '../template/key-access.ts';
import { evaluate } from '../template/policy.ts';
import type { Stack } from '../template/stack.ts';
import type { TemplateResource } from '../template/template.ts';
import type { LocalFunction, Runtime } from './runtime.ts';
import { completedMessages, type Message, recordOf } from './sqs-batch.ts';

interface MappingProperties {
  EventSourceArn: string;
  FunctionName: string;
  BatchSize?: number;
  MaximumBatchingWindowInSeconds?: number;
  FunctionResponseTypes?: string[];
  ScalingConfig?: { MaximumConcurrency?: number };
  FilterCriteria?: unknown;
  Enabled?: boolean;
}

interface EventSources {
  stop(): Promise<void>;
}

function startPolling(mapping: MappingProperties, target: LocalFunction, sqs: AwsClient): EventSources {
  const QueueUrl = `http://127.0.0.1/${account}/${mapping.EventSourceArn.split(':').at(-1)}`;
  const { BatchSize = 10, MaximumBatchingWindowInSeconds: window = 0 } = mapping;
  const reportsItemFailures = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false;
  const slots = Math.min(mapping.ScalingConfig?.MaximumConcurrency ?? Number.POSITIVE_INFINITY, target.maxConcurrency);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const receive = async (count: number, WaitTimeSeconds: number): Promise<Message[]> => {
    const request = { QueueUrl, MaxNumberOfMessages: Math.min(count, 10), WaitTimeSeconds };
    const names = { MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['All'] };
    const response = await sqs<{ Messages?: Message[] }>(
      'AmazonSQS.ReceiveMessage',
      { ...request, ...names },
      stopping.signal,
    );
    return response.Messages ?? [];
  };

  const collect = async (): Promise<Message[]> => {
    const batch = await receive(BatchSize, 20);
    const deadline = Date.now() + window * 1000;
    while (batch.length > 0 && batch.length < BatchSize) {
      const remainingMs = deadline - Date.now();
      // If the batch size is above 10, all available messages are fetched even without a batching window.
      if (remainingMs <= 0 && (batch.length % 10 !== 0 || BatchSize <= 10)) break;
      const more = await receive(BatchSize - batch.length, Math.max(0, Math.ceil(remainingMs / 1000)));
      if (more.length === 0 && remainingMs <= 0) break;
      batch.push(...more);
    }
    return batch;
  };

  const handle = async (batch: Message[]): Promise<void> => {
    const Records = batch.map((message) => recordOf(message, mapping.EventSourceArn));
    const { payload } = await target.invoke({ Records });
    // Failed messages stay in the queue. After the visibility timeout, SQS delivers failed messages again or moves them
    // to the dead-letter queue.
    const completed = payload === undefined ? [] : completedMessages(batch, payload, reportsItemFailures);
    for (let start = 0; start < completed.length; start += 10) {
      const Entries = completed
        .slice(start, start + 10)
        .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs('AmazonSQS.DeleteMessageBatch', { QueueUrl, Entries });
    }
  };

  // Runs one long poll at a time, but processes batches in parallel, so that a slow batch does not delay other batches.
  const poll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        if (running.size >= slots) {
          await Promise.race(running);
          continue;
        }
        const batch = await collect();
        if (batch.length === 0) continue;
        const handling: Promise<void> = handle(batch)
          .catch(() => {})
          .finally(() => running.delete(handling));
        running.add(handling);
      } catch {
        await sleep(100, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(running);
    },
  };
}

/** Checks that a function may read its queue, because AWS rejects event source mappings without this permission. */
function checkGrants(
  resource: TemplateResource,
  mapping: MappingProperties,
  stack: Stack,
  target: LocalFunction,
): void {
  const logicalId = stack.ofType('AWS::Lambda::Function').find((each) => stack.nameOf(each) === target.name)?.logicalId;
  const statements = readFunctionGrants(stack).get(logicalId ?? '') ?? [];
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  const needs = actions.map((action) => ({ action, resources: [mapping.EventSourceArn] }));
  const denied = withKeys(needs, readKeys(stack)).find((need) => evaluate(statements, need) !== 'allowed');
  if (denied)
    throw new Error(`${resource.logicalId}: ${target.constructId} lacks ${denied.action} on ${denied.resources[0]}`);
}

/** Reads and checks the event source mappings in the template. Returns a function that starts polling the queues. */
export function readEventSources(stack: Stack, runtime: Runtime, sqs: AwsClient): () => EventSources {
  const mappings: (() => EventSources)[] = [];
  for (const resource of stack.ofType('AWS::Lambda::EventSourceMapping')) {
    const mapping = stack.properties<MappingProperties>(resource);
    if (mapping.Enabled === false) continue;
    const target = runtime.find(mapping.FunctionName);
    if (!target) throw new Error(`${resource.logicalId}: no function ${mapping.FunctionName}`);
    if (!mapping.EventSourceArn.includes(':sqs:'))
      throw new Error(`${resource.logicalId}: only queues are supported as event sources`);
    if (mapping.FilterCriteria)
      throw new Error(`${resource.logicalId}: the local stack does not support FilterCriteria`);
    checkGrants(resource, mapping, stack, target);
    mappings.push(() => startPolling(mapping, target, sqs));
  }
  return () => {
    const sources = mappings.map((start) => start());
    return {
      stop: async () => {
        await Promise.all(sources.map((source) => source.stop()));
      },
    };
  };
}
