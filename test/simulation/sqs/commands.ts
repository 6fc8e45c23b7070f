import {
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { Queue } from './queue.ts';
import type { StoredMessage } from './queue-facts.ts';
import { invalidParameter, sqsError } from './sqs-errors.ts';

type QueueAt = (url: string) => Queue;
type Given = Pick<SendMessageBatchRequestEntry, 'MessageBody' | 'MessageGroupId' | 'DelaySeconds'>;

const longestDelaySeconds = 900;
const batchBytes = 1024 * 1024;

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

function sendBatch(queue: Queue, entries: readonly SendMessageBatchRequestEntry[] = []) {
  if (entries.length === 0) throw sqsError('EmptyBatchRequest', 'The batch has no entries.');
  if (entries.length > 10) throw sqsError('TooManyEntriesInBatchRequest', 'The batch has more than 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw sqsError('BatchEntryIdsNotDistinct', 'Two entries have the same Id.');
  const bytes = entries.reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
  if (bytes > batchBytes) throw sqsError('BatchRequestTooLong', 'The batch is longer than 1 MiB.');
  const done = entries.map((entry) => {
    if (queue.isRejectingEntry()) return { Id: entry.Id, Code: 'InternalError', SenderFault: false };
    const Code = rejectionOf(entry, queue);
    return { Id: entry.Id, ...(Code ? { Code, SenderFault: true } : { MessageId: put(queue, entry).id }) };
  });
  const Failed = done.filter((one) => 'Code' in one);
  return { Successful: done.filter((one) => !('Code' in one)), ...(Failed.length > 0 && { Failed }) };
}

function sendOne(queue: Queue, given: Given) {
  const code = rejectionOf(given, queue);
  if (code !== undefined) throw invalidParameter(`The message is rejected: ${code}.`);
  return { MessageId: put(queue, given).id };
}

const attributesOf = (queue: Queue) => ({
  Attributes: {
    ApproximateNumberOfMessages: String(queue.ready),
    ApproximateNumberOfMessagesNotVisible: String(queue.inFlight),
    ApproximateNumberOfMessagesDelayed: String(queue.delayed),
  },
});

/** Returns a function that handles the commands that the product sends. Event sources use the queues directly. */
export const commandsOf =
  (queueAt: QueueAt) =>
  async (command: object): Promise<unknown> => {
    const queue = queueAt((command as { input: { QueueUrl?: string } }).input.QueueUrl ?? '');
    if (command instanceof SendMessageBatchCommand) return sendBatch(queue, command.input.Entries);
    if (command instanceof SendMessageCommand) return sendOne(queue, command.input);
    if (command instanceof GetQueueAttributesCommand) return attributesOf(queue);
    throw new Error(`the simulated SQS does not support ${command.constructor.name}`);
  };
