import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type * as z from 'zod/mini';
import { defineStore } from '../../contract/define-store.ts';
import { type SentQueue, sentQueues } from '../../contract/queues.ts';
import type { Worker } from '../../contract/worker.ts';
import type { workers } from '../../contract/workers.ts';
import { Fault } from '../../model/faults.ts';
import { sqs } from './sqs.ts';

export interface Sending<Payload> {
  readonly payload: Payload;
  /** Fair queues share the workers between groups: the topic of a first attempt, the subscription of a retry. */
  readonly group: string;
  readonly delaySeconds?: number;
}

// SQS takes 10 messages and 1 MiB in one batch; a little is left for the attributes.
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

/** A queue that can be sent to. */
export interface Queue<Payload> {
  /** Puts one payload into the queue, durably. */
  send(sending: Sending<Payload>): Promise<void>;
  /**
   * Puts many, ten a request, some requests at once. @throws when SQS refuses any of them; the others of its request
   * are then in the queue.
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
        if (first) throw new Fault('messagesRefused', { queue, count: Failed.length, code: first.Code ?? 'none' });
      }
    };
    await Promise.all(Array.from({ length: Math.min(requestsAtOnce, entries.length) }, sendRest));
  },
});

/** What a queue carries: the payload of the worker that it feeds. `PayloadOf<'slow'>` is a DeliveryTask. */
type PayloadOf<Q extends SentQueue, W = (typeof workers)[number]> = W extends Worker
  ? Q extends W['lanes'][number]['queue']
    ? z.output<W['payload']>
    : never
  : never;

/** Opens one queue as a tool: `queues:fanOut` gives a handler `queues.fanOut`. */
type Permissions = {
  readonly [Q in SentQueue]: (client: SQSClient, url: string) => Readonly<Record<Q, Queue<PayloadOf<Q>>>>;
};

// The type follows from the list of queues; a loop over names alone cannot show that.
const permissions = Object.fromEntries(
  (Object.keys(sentQueues) as SentQueue[]).map((name) => [
    name,
    (client: SQSClient, url: string) => ({ [name]: queueAt(name, client, url) }),
  ]),
) as unknown as Permissions;

// SQS refuses a batch of nothing.
const prime = async (client: SQSClient, url: string): Promise<void> => {
  await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: [] }));
};

export const queues = defineStore({ name: 'queues', client: sqs, permissions, prime });
