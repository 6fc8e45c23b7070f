import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { Clock } from '../clock/virtual-clock.ts';
import type { Queue } from './queue.ts';
import type { StoredMessage } from './queue-facts.ts';
import { invalidParameter, sqsError } from './sqs-errors.ts';

type QueueAt = (url: string) => Queue;
type Given = Pick<SendMessageBatchRequestEntry, 'MessageBody' | 'MessageGroupId' | 'DelaySeconds'>;

const longestDelaySeconds = 900;
const batchBytes = 1024 * 1024;
const purgeEveryMs = 60_000;

// SQS accepts only characters that XML permits.
const isSendable = (text: string): boolean => text !== '' && !/[^\t\n\r\x20-\ufffd]/.test(text);

/** Returns the error code with which SQS rejects a message, or undefined if SQS accepts the message. */
function rejectionOf({ MessageBody = '', DelaySeconds = 0 }: Given, queue: Queue): string | undefined {
  if (!isSendable(MessageBody)) return 'InvalidMessageContents';
  if (DelaySeconds < 0 || DelaySeconds > longestDelaySeconds) return 'InvalidParameterValue';
  return Buffer.byteLength(MessageBody) > queue.attributes.maximumBytes ? 'InvalidParameterValue' : undefined;
}

const put = (queue: Queue, { MessageBody = '', MessageGroupId, DelaySeconds = 0 }: Given): StoredMessage =>
  queue.send(MessageBody, MessageGroupId ?? '', DelaySeconds * 1000);

/** Converts a stored message to the format that SQS returns. */
export const asReceived = ({ id, receipt, body, group, receives, sentAt, firstReceivedAt }: StoredMessage) => ({
  MessageId: id,
  ReceiptHandle: receipt,
  Body: body,
  MD5OfBody: '',
  Attributes: {
    ApproximateReceiveCount: String(receives),
    ApproximateFirstReceiveTimestamp: String(Math.floor(firstReceivedAt)),
    SentTimestamp: String(Math.floor(sentAt)),
    SenderId: 'simulation',
    ...(group === '' ? {} : { MessageGroupId: group }),
  },
});

/** Handles each entry of a batch, and returns the successful and the failed entries. */
function eachEntry<Entry extends { Id: string | undefined }>(
  entries: readonly Entry[] | undefined,
  run: (entry: Entry) => object | { Code: string },
) {
  if (entries === undefined || entries.length === 0) throw sqsError('EmptyBatchRequest', 'The batch has no entries.');
  if (entries.length > 10) throw sqsError('TooManyEntriesInBatchRequest', 'The batch has more than 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw sqsError('BatchEntryIdsNotDistinct', 'Two entries have the same Id.');
  const done = entries.map((entry) => ({ Id: entry.Id, ...run(entry) }));
  const failed = done.filter((one) => 'Code' in one);
  return { Successful: done.filter((one) => !('Code' in one)), ...(failed.length > 0 ? { Failed: failed } : {}) };
}

function sendBatch(queue: Queue, entries: readonly SendMessageBatchRequestEntry[] | undefined) {
  const bytes = (entries ?? []).reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
  if (bytes > batchBytes) throw sqsError('BatchRequestTooLong', 'The batch is longer than 1 MiB.');
  return eachEntry(entries, (entry) => {
    if (queue.isRejectingEntry()) return { Code: 'InternalError', SenderFault: false };
    const Code = rejectionOf(entry, queue);
    return Code === undefined ? { MessageId: put(queue, entry).id } : { Code, SenderFault: true };
  });
}

function sendOne(queue: Queue, given: Given) {
  const code = rejectionOf(given, queue);
  if (code !== undefined) throw invalidParameter(`The message is rejected: ${code}.`);
  return { MessageId: put(queue, given).id };
}

async function receive(queue: Queue, { input }: ReceiveMessageCommand, clock: Clock) {
  const { MaxNumberOfMessages = 1, VisibilityTimeout, WaitTimeSeconds = 0 } = input;
  if (MaxNumberOfMessages < 1 || MaxNumberOfMessages > 10)
    throw invalidParameter('MaxNumberOfMessages must be between 1 and 10.');
  const visibilityMs = VisibilityTimeout === undefined ? queue.attributes.visibilityMs : VisibilityTimeout * 1000;
  const until = clock.now() + WaitTimeSeconds * 1000;
  for (;;) {
    const received = queue.receive(MaxNumberOfMessages, visibilityMs);
    if (received === 'overLimit') throw sqsError('OverLimit', 'Too many messages are in flight.');
    const restMs = until - clock.now();
    if (received.length > 0 || restMs <= 0) return received.length > 0 ? { Messages: received.map(asReceived) } : {};
    await clock.sleep(Math.min(restMs, Math.max(1, (queue.nextShowAt() ?? until) - clock.now()), 100));
  }
}

function changeVisibility(queue: Queue, receipt: string | undefined, visibilitySeconds: number | undefined): void {
  if (!queue.changeVisibility(receipt ?? '', (visibilitySeconds ?? 0) * 1000))
    throw sqsError('MessageNotInflight', 'The message is not in flight.');
}

function deleteBy(queue: Queue, receipt: string | undefined): void {
  if (!queue.delete(receipt ?? '')) throw sqsError('ReceiptHandleIsInvalid', 'The receipt handle is not valid.');
}

/** Handles a batch entry. Returns an error code instead of throwing an error. */
function entryOf(run: () => void): object {
  try {
    run();
    return {};
  } catch (error) {
    return { Code: (error as Error).name, SenderFault: true };
  }
}

const attributesOf = (queue: Queue) => ({
  Attributes: {
    ApproximateNumberOfMessages: String(queue.ready),
    ApproximateNumberOfMessagesNotVisible: String(queue.inFlight),
    ApproximateNumberOfMessagesDelayed: String(queue.delayed),
    QueueArn: `arn:aws:sqs:us-east-1:000000000000:${queue.name}`,
    VisibilityTimeout: String(queue.attributes.visibilityMs / 1000),
    MessageRetentionPeriod: String(queue.attributes.retentionMs / 1000),
  },
});

/** Returns a function that handles the commands of an SQS client. */
export function commandsOf(queueAt: QueueAt, clock: Clock): (command: object) => Promise<unknown> {
  const purgedAt = new Map<Queue, number>();
  function purge(queue: Queue): object {
    if (clock.now() - (purgedAt.get(queue) ?? Number.NEGATIVE_INFINITY) < purgeEveryMs)
      throw sqsError('PurgeQueueInProgress', 'The queue was purged within the last 60 seconds.');
    purgedAt.set(queue, clock.now());
    queue.purge();
    return {};
  }
  return async (command) => {
    const { input } = command as { input: { QueueUrl?: string } };
    const queue = queueAt(input.QueueUrl ?? '');
    if (command instanceof SendMessageBatchCommand) return sendBatch(queue, command.input.Entries);
    if (command instanceof SendMessageCommand) return sendOne(queue, command.input);
    if (command instanceof ReceiveMessageCommand) return receive(queue, command, clock);
    if (command instanceof DeleteMessageCommand) return deleteBy(queue, command.input.ReceiptHandle) ?? {};
    if (command instanceof DeleteMessageBatchCommand)
      return eachEntry(command.input.Entries, (entry) => entryOf(() => deleteBy(queue, entry.ReceiptHandle)));
    if (command instanceof ChangeMessageVisibilityCommand)
      return changeVisibility(queue, command.input.ReceiptHandle, command.input.VisibilityTimeout) ?? {};
    if (command instanceof ChangeMessageVisibilityBatchCommand)
      return eachEntry(command.input.Entries, (entry) =>
        entryOf(() => changeVisibility(queue, entry.ReceiptHandle, entry.VisibilityTimeout)),
      );
    if (command instanceof GetQueueAttributesCommand) return attributesOf(queue);
    if (command instanceof PurgeQueueCommand) return purge(queue);
    throw new Error(`the simulated SQS does not support ${command.constructor.name}`);
  };
}
