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
import type { Kept } from './queue-facts.ts';
import { invalidParameter, refusal } from './sqs-errors.ts';

type QueueAt = (url: string) => Queue;
type Given = Pick<SendMessageBatchRequestEntry, 'MessageBody' | 'MessageGroupId' | 'DelaySeconds'>;

const longestDelaySeconds = 900;
const batchBytes = 1024 * 1024;
const purgeEveryMs = 60_000;

// XML has no others.
const isSendable = (text: string): boolean => text !== '' && !/[^\t\n\r\x20-\ufffd]/.test(text);

/** Why SQS does not take a message; undefined when it does. */
function refused({ MessageBody = '', DelaySeconds = 0 }: Given, queue: Queue): string | undefined {
  if (!isSendable(MessageBody)) return 'InvalidMessageContents';
  if (DelaySeconds < 0 || DelaySeconds > longestDelaySeconds) return 'InvalidParameterValue';
  return Buffer.byteLength(MessageBody) > queue.attributes.maximumBytes ? 'InvalidParameterValue' : undefined;
}

const put = (queue: Queue, { MessageBody = '', MessageGroupId, DelaySeconds = 0 }: Given): Kept =>
  queue.send(MessageBody, MessageGroupId ?? '', DelaySeconds * 1000);

/** A message as SQS shows it. */
export const asReceived = ({ id, receipt, body, group, receives, sentAt, firstReceivedAt }: Kept) => ({
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

/** Does each entry of a batch; answers what was done and what was not. */
function eachEntry<Entry extends { Id: string | undefined }>(
  entries: readonly Entry[] | undefined,
  run: (entry: Entry) => object | { Code: string },
) {
  if (entries === undefined || entries.length === 0) throw refusal('EmptyBatchRequest', 'There is no entry.');
  if (entries.length > 10) throw refusal('TooManyEntriesInBatchRequest', 'There are more than 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw refusal('BatchEntryIdsNotDistinct', 'Two entries have the same Id.');
  const done = entries.map((entry) => ({ Id: entry.Id, ...run(entry) }));
  const failed = done.filter((one) => 'Code' in one);
  return { Successful: done.filter((one) => !('Code' in one)), ...(failed.length > 0 ? { Failed: failed } : {}) };
}

function sendBatch(queue: Queue, entries: readonly SendMessageBatchRequestEntry[] | undefined) {
  const bytes = (entries ?? []).reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
  if (bytes > batchBytes) throw refusal('BatchRequestTooLong', 'The batch is longer than 1 MiB.');
  return eachEntry(entries, (entry) => {
    if (queue.isRefusing()) return { Code: 'InternalError', SenderFault: false };
    const Code = refused(entry, queue);
    return Code === undefined ? { MessageId: put(queue, entry).id } : { Code, SenderFault: true };
  });
}

function sendOne(queue: Queue, given: Given) {
  const code = refused(given, queue);
  if (code !== undefined) throw invalidParameter(`The message is not taken: ${code}.`);
  return { MessageId: put(queue, given).id };
}

async function receive(queue: Queue, { input }: ReceiveMessageCommand, clock: Clock) {
  const { MaxNumberOfMessages = 1, VisibilityTimeout, WaitTimeSeconds = 0 } = input;
  if (MaxNumberOfMessages < 1 || MaxNumberOfMessages > 10)
    throw invalidParameter('MaxNumberOfMessages must be 1 to 10.');
  const visibilityMs = VisibilityTimeout === undefined ? queue.attributes.visibilityMs : VisibilityTimeout * 1000;
  const until = clock.now() + WaitTimeSeconds * 1000;
  for (;;) {
    const received = queue.receive(MaxNumberOfMessages, visibilityMs);
    if (received === 'overLimit') throw refusal('OverLimit', 'Too many messages are in flight.');
    const restMs = until - clock.now();
    if (received.length > 0 || restMs <= 0) return received.length > 0 ? { Messages: received.map(asReceived) } : {};
    await clock.sleep(Math.min(restMs, Math.max(1, (queue.nextShowAt() ?? until) - clock.now()), 100));
  }
}

function changeVisibility(queue: Queue, receipt: string | undefined, visibilitySeconds: number | undefined): void {
  if (!queue.changeVisibility(receipt ?? '', (visibilitySeconds ?? 0) * 1000))
    throw refusal('MessageNotInflight', 'The message is not in flight.');
}

function deleteBy(queue: Queue, receipt: string | undefined): void {
  if (!queue.delete(receipt ?? '')) throw refusal('ReceiptHandleIsInvalid', 'The receipt handle is not valid.');
}

/** True when it throws the given refusal; an entry of a batch answers its code. */
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

/** What SQS does with the commands that it is sent. */
export function commandsOf(queueAt: QueueAt, clock: Clock): (command: object) => Promise<unknown> {
  const purgedAt = new Map<Queue, number>();
  function purge(queue: Queue): object {
    if (clock.now() - (purgedAt.get(queue) ?? Number.NEGATIVE_INFINITY) < purgeEveryMs)
      throw refusal('PurgeQueueInProgress', 'The queue was purged within the last 60 seconds.');
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
    throw new Error(`the simulated SQS does not know ${command.constructor.name}`);
  };
}
