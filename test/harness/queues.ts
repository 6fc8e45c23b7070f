import { S3Client } from '@aws-sdk/client-s3';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeAll } from 'vitest';
import { workerTimes } from '../../infra/constructs/worker-times.ts';
import { region } from '../../infra/local/aws/template/identifiers.ts';
import { queues as contract, maxReceiveCount, type QueueName } from '../../shared/contract/queues.ts';
import { channelOfQueue } from '../../shared/domain/deliveries/channels.ts';
import { bodiesBy } from '../../shared/storage/messages/bodies.ts';
import { messages as messageStore } from '../../shared/storage/messages/store.ts';
import { useSqs } from './embedded.ts';
import { bucketOfTests, type GivenSettings, settingsOf } from './variables.ts';

const all = Object.keys(contract) as QueueName[];
// One queue stands for all lanes of a channel: what goes by which is the wiring of the functions.
const standIn = (name: QueueName): QueueName => (channelOfQueue(name)?.lanes.first ?? name) as QueueName;

/** The queues that there are, each once. */
export const queueNames: readonly QueueName[] = all.filter((name) => standIn(name) === name);

/** A message in a queue: its payload, and how long it was told to wait. */
interface Queued<Payload> {
  readonly payload: Payload;
  readonly delaySeconds: number;
}

/** The queues of the contract, with their dead letters, in an SQS of this file's own. */
export function useQueues(given: GivenSettings) {
  const sqs = useSqs();
  /** Where the queues are. */
  const queues = {} as Record<QueueName, string>;
  beforeAll(() => {
    sqs.server.createBucket(bucketOfTests);
    for (const name of queueNames) {
      const { queueArn } = sqs.server.createQueue(`${name}DeadLetters`, { region });
      const attributes = {
        VisibilityTimeout: String(workerTimes(name, settingsOf(given)).visibilitySeconds),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn, maxReceiveCount }),
      };
      sqs.server.createQueue(name, { region, attributes });
    }
    for (const name of all) queues[name] = `${sqs.endpoint}/000000000000/${standIn(name)}`;
  });

  const urlOf = (name: QueueName | `${QueueName}DeadLetters`): string => `${sqs.endpoint}/000000000000/${name}`;
  function messagesOf(name: QueueName | `${QueueName}DeadLetters`) {
    const queue = sqs.server.inspectQueue(name);
    if (queue === undefined) throw new Error(`there is no queue ${name}`);
    return queue.messages;
  }
  /** When a queue shows its messages; what it shows already, since the beginning of time. */
  const shows = (name: QueueName): number[] => {
    const { ready, delayed, inflight } = messagesOf(name);
    return [
      ...ready.map(() => 0),
      ...delayed.map(({ delayUntil = 0 }) => delayUntil),
      ...inflight.map(({ visibilityDeadline }) => visibilityDeadline),
    ];
  };
  const messages = (name: QueueName | `${QueueName}DeadLetters`) => {
    const { ready, delayed, inflight } = messagesOf(name);
    return [...ready, ...delayed, ...inflight.map(({ message }) => message)];
  };

  return {
    sqs,
    queues,
    /** The store of long bodies, in the bucket. */
    bodies: () => {
      const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
      const client = new S3Client({ region, credentials, endpoint: sqs.endpoint });
      return messageStore.permissions.deliver(async () => bodiesBy(client), bucketOfTests);
    },
    /** The bodies of all messages of a queue, whatever their state. */
    bodiesIn: (name: QueueName | `${QueueName}DeadLetters`): string[] => messages(name).map(({ body }) => body),
    payloadsIn: <Payload = unknown>(name: QueueName): Payload[] => messages(name).map(({ body }) => JSON.parse(body)),
    messagesIn: <Payload = unknown>(name: QueueName): Queued<Payload>[] =>
      messages(name).map(({ body, sentTimestamp, delayUntil = sentTimestamp }) => ({
        payload: JSON.parse(body),
        delaySeconds: Math.round((delayUntil - sentTimestamp) / 1000),
      })),
    /** Since when the oldest message is in a queue, in milliseconds. */
    ageIn: (name: QueueName | `${QueueName}DeadLetters`): number =>
      Math.max(0, ...messages(name).map(({ sentTimestamp }) => Date.now() - sentTimestamp)),
    isShowing: (name: QueueName): boolean => shows(name).some((at) => at <= Date.now()),
    /** When a queue shows something next; undefined when all are empty. */
    nextShow(): number | undefined {
      const times = queueNames.flatMap(shows);
      return times.length === 0 ? undefined : Math.max(Date.now(), Math.min(...times));
    },
    /** Puts payloads into a queue, or texts that are none. */
    async send(name: QueueName, ...payloads: readonly unknown[]): Promise<void> {
      for (const payload of payloads) {
        const MessageBody = typeof payload === 'string' ? payload : JSON.stringify(payload);
        await sqs.client.send(new SendMessageCommand({ QueueUrl: queues[name], MessageBody }));
      }
    },
    /** Empties some queues, or all, what is being worked on included. */
    async purge(...which: readonly (QueueName | `${QueueName}DeadLetters`)[]): Promise<void> {
      const full = (which.length === 0 ? queueNames : which).filter((name) => messages(name).length > 0);
      await Promise.all(full.map((name) => sqs.client.send(new PurgeQueueCommand({ QueueUrl: urlOf(name) }))));
    },
    /** Empties all queues and dead letters. */
    emptyQueues: (): void => sqs.server.reset(),
  };
}
