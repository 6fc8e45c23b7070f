import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { workerTimes } from '../../../infra/constructs/worker-times.ts';
import { settingValue } from '../../../infra/settings/settings.ts';
import { copiesOf } from '../../../shared/contract/concurrency.ts';
import { maxReceiveCount, type QueueName, queues } from '../../../shared/contract/queue-names.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';
import { type GivenSettings, settingsOf } from '../../harness/variables.ts';
import { type MemorySqs, queueArn } from '../sqs/sqs.ts';
import type { Source } from './event-source.ts';

type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

const retentionSeconds = 14 * 24 * 3600;

/** Creates the contract's queues and their dead-letter queues, as the stack does. */
export function deployQueues(sqs: MemorySqs, settings: GivenSettings): void {
  const MessageRetentionPeriod = String(retentionSeconds);
  for (const name of Object.keys(queues) as QueueName[]) {
    sqs.createQueue(`${name}DeadLetters`, { MessageRetentionPeriod });
    sqs.createQueue(name, {
      MessageRetentionPeriod,
      VisibilityTimeout: String(workerTimes(name, settingsOf(settings)).visibilitySeconds),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn(`${name}DeadLetters`), maxReceiveCount }),
    });
  }
}

/** Returns the event source of each lane, with its queue, function, batch size, concurrency and timeout. */
export const sourcesOf = (
  sqs: MemorySqs,
  settings: GivenSettings,
  handlers: Readonly<Record<QueueName, QueueHandler>>,
): Source[] =>
  workerLanes.map(({ lane, queue, batchSize, memoryMegabytes, maxConcurrency }) => ({
    queue: sqs.queueAt(queue),
    batchSize,
    maxConcurrency: copiesOf({ maxConcurrency }, settingValue(settingsOf(settings), 'concurrency')),
    facts: {
      name: lane,
      memoryMegabytes,
      timeoutMs: workerTimes(queue, settingsOf(settings)).functionSeconds * 1000,
      handler: handlers[queue],
    },
  }));
