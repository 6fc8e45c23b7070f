import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type * as z from 'zod/mini';
import type { Worker } from '../../contract/background-functions.ts';
import { defineStore } from '../../contract/define-store.ts';
import { type SentQueue, sentQueues } from '../../contract/queue-names.ts';
import type { workers } from '../../contract/workers.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { sqs } from './sqs.ts';

export interface Sending<Payload> {
  readonly payload: Payload;
  /**
   * Fair queues share the workers between groups. First attempts are grouped by topic, and retries by subscription.
   */
  readonly group: string;
  readonly delaySeconds?: number;
}

// SQS accepts 10 messages and 1 MiB per batch. The difference between 1 MiB and this limit is reserved for attributes.
const batchLimit = { entries: 10, bytes: 1_000_000 };

const requestsAtOnce = 4;

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

// SQS rejects U+FFFE and U+FFFF, which XML does not allow, and the local emulator rejects surrogates. JSON escapes
// avoid both.
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

export interface Queue<Payload> {
  send(sending: Sending<Payload>): Promise<void>;
  /**
   * Sends many payloads, ten per request.
   * @throws if SQS rejects a payload; the other payloads of the same request are still sent
   */
  sendMany(sendings: readonly Sending<Payload>[]): Promise<void>;
}

const queueAt = <Payload>(queue: SentQueue, sqsClient: SQSClient, url: string): Queue<Payload> => ({
  async send(sending) {
    await sqsClient.send(new SendMessageCommand({ QueueUrl: url, ...message(sending) }));
  },
  async sendMany(sendings) {
    const entries = sendings.map((sending, index) => ({ Id: String(index), ...message(sending) }));
    const rest = batches(entries);
    const sendRest = async (): Promise<void> => {
      for (const batch of rest) {
        const { Failed = [] } = await sqsClient.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: batch }));
        const [first] = Failed;
        if (first)
          throw new InternalError('messagesRefused', { queue, count: Failed.length, code: first.Code ?? 'none' });
      }
    };
    await Promise.all(Array.from({ length: Math.min(requestsAtOnce, entries.length) }, sendRest));
  },
});

/** The payload type of the worker that reads a queue. For example, `PayloadOf<'slow'>` is the delivery task. */
type PayloadOf<Q extends SentQueue, W = (typeof workers)[number]> = W extends Worker
  ? Q extends W['lanes'][number]['queue']
    ? z.output<W['payload']>
    : never
  : never;

/** Each permission opens one queue. For example, `queues:fanOut` provides `queues.fanOut`. */
type Permissions = {
  readonly [Q in SentQueue]: (client: SQSClient, url: string) => Readonly<Record<Q, Queue<PayloadOf<Q>>>>;
};

// TypeScript cannot infer that the loop creates a permission for each queue.
const permissions = Object.fromEntries(
  (Object.keys(sentQueues) as SentQueue[]).map((name) => [
    name,
    (client: SQSClient, url: string) => ({ [name]: queueAt(name, client, url) }),
  ]),
) as unknown as Permissions;

// SQS rejects an empty batch, but even the rejected request opens the connection.
const warmUp = (client: SQSClient, url: string): Promise<unknown> =>
  client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: [] }));

export const queues = defineStore({ name: 'queues', client: sqs, permissions, warmUp });
