import type { Clock } from '../clock/virtual-clock.ts';
import { commandsOf } from './commands.ts';
import { Queue } from './queue.ts';
import type { Quirks } from './queue-facts.ts';
import { sqsError } from './sqs-errors.ts';

type GivenAttributes = Readonly<Record<string, string>>;

export interface MemorySqs {
  /** Handles an SDK command. `attach` replaces the SDK's `send` with this method. */
  send(command: object): Promise<unknown>;
  createQueue(name: string, attributes?: GivenAttributes): Queue;
  queueAt(url: string): Queue;
  readonly queues: ReadonlyMap<string, Queue>;
}

const place = 'https://sqs.us-east-1.amazonaws.com/000000000000/';
export const urlOf = (name: string): string => `${place}${name}`;
export const queueArn = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

const seconds = (attributes: GivenAttributes, name: string, otherwise: number): number =>
  Number(attributes[name] ?? otherwise) * 1000;

/** Returns an in-memory simulation of SQS that uses the given clock. */
export function memorySqs(clock: Clock, quirks: Quirks = {}): MemorySqs {
  const queues = new Map<string, Queue>();
  let ids = 0;
  const newId = (): string => `message-${ids++}`;

  function queueAt(url: string): Queue {
    const queue = queues.get(url.slice(url.lastIndexOf('/') + 1));
    if (queue === undefined) throw sqsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  function redriveOf({ RedrivePolicy }: GivenAttributes) {
    if (RedrivePolicy === undefined) return undefined;
    const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(RedrivePolicy);
    return { to: queueAt(String(deadLetterTargetArn).replaceAll(':', '/')), maxReceiveCount: Number(maxReceiveCount) };
  }

  return {
    send: commandsOf(queueAt),
    queueAt,
    queues,
    createQueue(name, given = {}) {
      const attributes = {
        visibilityMs: seconds(given, 'VisibilityTimeout', 30),
        retentionMs: seconds(given, 'MessageRetentionPeriod', 4 * 24 * 3600),
        maximumBytes: Number(given.MaximumMessageSize ?? 1024 * 1024),
        redrive: redriveOf(given),
      };
      const queue = new Queue({ name, attributes, now: () => clock.now(), newId, quirks });
      queues.set(name, queue);
      return queue;
    },
  };
}
