import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { memorySqs, urlOf } from '../simulation/sqs/sqs.ts';
import { type EmbeddedSqs, useSqs } from './embedded.ts';

/** The features of SQS that the queue tests use. */
type Sqs = Pick<EmbeddedSqs, 'client' | 'createQueue' | 'messagesIn'>;

/** Starts a simulated SQS that uses the clock of this process. */
function useMemorySqs(): Sqs {
  const { send, createQueue, queueAt } = memorySqs({ now: () => Date.now(), sleep });
  const client = Object.assign(new SQSClient({ region: 'us-east-1' }), { send });
  return {
    client,
    createQueue(attributes = {}) {
      const name = `queue-${randomUUID()}`;
      createQueue(name, attributes);
      return urlOf(name);
    },
    messagesIn: <Payload>(url: string) =>
      queueAt(url)
        .messages()
        .filter(({ state }) => state !== 'inFlight')
        .map(({ body, sentAt, showAt }) => ({
          payload: JSON.parse(body) as Payload,
          delaySeconds: Math.round((showAt - sentAt) / 1000),
        })),
  };
}

/** The queue tests run twice: once with the embedded SQS and once with the simulated SQS. */
export const sqsBackends: readonly (readonly [name: string, use: () => Sqs])[] = [
  ['embedded', useSqs],
  ['simulated', useMemorySqs],
];
