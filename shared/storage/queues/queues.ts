import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { defineStore } from '../../contract/capabilities.ts';
import type { QueueName } from '../../contract/queues.ts';
import type { CleanUpPayload } from '../../model/topics/clean-up-payload.ts';
import type { DeliveryTask, WaitingTask } from '../../model/deliveries/task.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import { withoutLogger } from '../without-logger.ts';

export interface Sending<Payload> {
  readonly payload: Payload;
  /** Fair queues share the workers between groups: the topic of a first attempt, the subscription of a retry. */
  readonly group: string;
  readonly delaySeconds?: number;
}

let client: SQSClient | undefined;
const sqs = (): SQSClient => {
  client ??= withoutLogger(new SQSClient({}));
  return client;
};

// SQS takes 10 messages and 1 MiB in one batch; a little is left for the attributes.
const batchLimit = { entries: 10, bytes: 1_000_000 };

// Requests that one call keeps going.
const lanes = 4;

type Entry = SendMessageBatchRequestEntry & { MessageBody: string };

function* batches(entries: readonly Entry[]): Generator<Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = Buffer.byteLength(entry.MessageBody);
    if (batch.length === batchLimit.entries || (batch.length > 0 && bytes + size > batchLimit.bytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

// SQS takes no U+FFFE and U+FFFF (no XML has them), its local stand-in nothing beyond them: JSON can escape them all.
const bodyOf = (payload: unknown): string =>
  JSON.stringify(payload).replace(
    /[\ud800-\udfff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );

const message = <Payload>({ payload, group, delaySeconds }: Sending<Payload>) => ({
  MessageBody: bodyOf(payload),
  MessageGroupId: group,
  ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
});

const send =
  <Payload>() =>
  (sqsClient: SQSClient, url: string) => ({
    /** Puts one payload into the queue, durably. */
    async send(sending: Sending<Payload>): Promise<void> {
      await sqsClient.send(new SendMessageCommand({ QueueUrl: url, ...message(sending) }));
    },
    /**
     * Puts many, ten a request, some requests at once. @throws when SQS refuses any of them; the others of its request
     * are then in the queue.
     */
    async sendMany(sendings: readonly Sending<Payload>[]): Promise<void> {
      const entries = sendings.map((sending, index) => ({ Id: String(index), ...message(sending) }));
      const rest = batches(entries);
      const lane = async (): Promise<void> => {
        for (const batch of rest) {
          const { Failed = [] } = await sqsClient.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: batch }));
          if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} messages: ${Failed[0]?.Code}`);
        }
      };
      await Promise.all(Array.from({ length: Math.min(lanes, entries.length) }, lane));
    },
  });

const queue = <const Name extends QueueName, Payload>(name: Name) =>
  defineStore({ name, client: sqs, permissions: { send: send<Payload>() } });

export const fanOutQueue = queue<'fanOut', FanOutPayload>('fanOut');
export const httpQueue = queue<'http', DeliveryTask>('http');
export const slowQueue = queue<'slow', DeliveryTask>('slow');
export const emailQueue = queue<'email', DeliveryTask>('email');
export const retryQueue = queue<'retry', WaitingTask>('retry');
export const cleanUpQueue = queue<'cleanUp', CleanUpPayload>('cleanUp');
