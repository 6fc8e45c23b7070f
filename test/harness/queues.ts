import { S3Client } from '@aws-sdk/client-s3';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeAll } from 'vitest';
import { workerTimes } from '../../infra/constructs/worker-times.ts';
import { region } from '../../infra/local/aws/template/identifiers.ts';
import { queues as contract, maxReceiveCount, type QueueName } from '../../shared/contract/queue-names.ts';
import { channelOfQueue } from '../../shared/domain/deliveries/channels.ts';
import { bodiesBy } from '../../shared/storage/messages/bodies.ts';
import { messages as messageStore } from '../../shared/storage/messages/store.ts';
import { awsAccess } from './aws-access.ts';
import { type Queued, queued, useSqs } from './embedded.ts';
import { bucketOfTests, type GivenSettings, settingsOf } from './variables.ts';

const all = Object.keys(contract) as QueueName[];
// In tests, a single queue represents all lanes of a channel. Other tests check which function each queue invokes.
const standIn = (name: QueueName): QueueName => (channelOfQueue(name)?.lanes.first ?? name) as QueueName;

export const queueNames: readonly QueueName[] = all.filter((name) => standIn(name) === name);

/** Creates all queues and dead-letter queues that the contract defines in the SQS of the test file. */
export function useQueues(given: GivenSettings) {
  const sqs = useSqs();
  /** The URLs of the queues. */
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
    if (queue === undefined) throw new Error(`no such queue: ${name}`);
    return queue.messages;
  }
  /**
   * Returns the times at which the messages in a queue become visible, in epoch milliseconds. For a message that is
   * already visible, the time is 0.
   */
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
    /** Returns the store for long message bodies in the bucket. */
    bodies: () => {
      const client = new S3Client({ ...awsAccess, endpoint: sqs.endpoint });
      return messageStore.permissions.readWrite(async () => bodiesBy(client), bucketOfTests);
    },
    /** Returns the bodies of all messages in a queue, visible or hidden. */
    bodiesIn: (name: QueueName | `${QueueName}DeadLetters`): string[] => messages(name).map(({ body }) => body),
    payloadsIn: <Payload = unknown>(name: QueueName): Payload[] => messages(name).map(({ body }) => JSON.parse(body)),
    messagesIn: <Payload = unknown>(name: QueueName): Queued<Payload>[] =>
      messages(name).map((message) => queued<Payload>(message)),
    /** Returns the age of the oldest message in a queue in milliseconds. */
    ageIn: (name: QueueName | `${QueueName}DeadLetters`): number =>
      Math.max(0, ...messages(name).map(({ sentTimestamp }) => Date.now() - sentTimestamp)),
    isShowing: (name: QueueName): boolean => shows(name).some((at) => at <= Date.now()),
    /** Returns the time at which the next message becomes visible, or undefined if all queues are empty. */
    nextShow(): number | undefined {
      const times = queueNames.flatMap(shows);
      return times.length === 0 ? undefined : Math.max(Date.now(), Math.min(...times));
    },
    /** Sends payloads or raw text to a queue. */
    async send(name: QueueName, ...payloads: readonly unknown[]): Promise<void> {
      for (const payload of payloads) {
        const MessageBody = typeof payload === 'string' ? payload : JSON.stringify(payload);
        await sqs.client.send(new SendMessageCommand({ QueueUrl: queues[name], MessageBody }));
      }
    },
    /** Deletes all messages in the given queues (default: all), including those in flight. */
    async purge(...which: readonly (QueueName | `${QueueName}DeadLetters`)[]): Promise<void> {
      const full = (which.length === 0 ? queueNames : which).filter((name) => messages(name).length > 0);
      await Promise.all(full.map((name) => sqs.client.send(new PurgeQueueCommand({ QueueUrl: urlOf(name) }))));
    },
    /** Empties all queues and dead-letter queues. */
    emptyQueues: (): void => sqs.server.reset(),
  };
}
