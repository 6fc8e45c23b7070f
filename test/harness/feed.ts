import { DeleteMessageBatchCommand, ReceiveMessageCommand, type Message as SqsMessage } from '@aws-sdk/client-sqs';
import { completedMessages, type Message, recordOf } from '../../infra/local/aws/functions/sqs-batch.ts';
import type { QueueName } from '../../shared/contract/queue-names.ts';
import type { Harness } from './harness.ts';
import type { queueHandlers } from './queue-handlers.ts';
import { queueNames } from './queues.ts';

/** Passes visible messages to the functions that read the queues, as Lambda does. */
export function feed(
  { sqs, queues, isShowing, interference }: Harness,
  newCopy: () => ReturnType<typeof queueHandlers>,
) {
  // A process loses its module state when it dies, so each process that will die gets its own copy of the modules.
  const copies = new WeakMap<object, ReturnType<typeof queueHandlers>>();
  const immortal = {};
  function copyOf(death: object = immortal): ReturnType<typeof queueHandlers> {
    const copy = copies.get(death) ?? newCopy();
    copies.set(death, copy);
    return copy;
  }

  /** Returns the response of a function to a batch, or undefined if the function failed or its process died. */
  async function worked(name: QueueName, messages: Message[]): Promise<object | undefined> {
    const Records = messages.map((message) => recordOf(message, name));
    const { death } = interference();
    const answer = copyOf(death)
      [name]({ Records })
      .catch(() => undefined);
    return death === undefined ? answer : Promise.race([answer, death.then(() => undefined)]);
  }

  /** Passes a batch of visible messages from a queue to its function. Returns false if no messages are visible. */
  async function workOnce(name: QueueName): Promise<boolean> {
    const { batch, settled } = interference();
    const request = { MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All' as const] };
    const { Messages = [] } = await sqs.client.send(new ReceiveMessageCommand({ QueueUrl: queues[name], ...request }));
    if (Messages.length === 0) return false;
    const received = Messages as (SqsMessage & Message)[];
    const response = await worked(name, batch?.(name, received) ?? received);
    if (response === undefined) return true;
    const done = completedMessages(received, JSON.stringify(response), true);
    const Entries = (settled?.(name, done) ?? done).map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
    }));
    if (Entries.length > 0) await sqs.client.send(new DeleteMessageBatchCommand({ QueueUrl: queues[name], Entries }));
    return true;
  }

  /** Processes all visible messages in the given queues (default: all), including those added in the meantime. */
  async function work(...which: readonly QueueName[]): Promise<void> {
    const chosen = which.length === 0 ? queueNames : which;
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (const name of chosen) if (isShowing(name)) isBusy = (await workOnce(name)) || isBusy;
    }
  }

  return { work, workOnce };
}
