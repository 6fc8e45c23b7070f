import { DeleteMessageBatchCommand, ReceiveMessageCommand, type Message as SqsMessage } from '@aws-sdk/client-sqs';
import { type Message, recordOf, settledMessages } from '../../infra/local/aws/functions/sqs-batch.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import type { Harness } from './harness.ts';
import type { queueHandlers } from './queue-handlers.ts';
import { queueNames } from './queues.ts';

/** Feeds the functions behind the queues with what the queues show, as Lambda does. */
export function feed(
  { sqs, queues, isShowing, interference }: Harness,
  newCopy: () => ReturnType<typeof queueHandlers>,
) {
  // A process that is to die is a copy of its own: what it has in mind dies with it.
  const copies = new WeakMap<object, ReturnType<typeof queueHandlers>>();
  const immortal = {};
  function copyOf(death: object = immortal): ReturnType<typeof queueHandlers> {
    const copy = copies.get(death) ?? newCopy();
    copies.set(death, copy);
    return copy;
  }

  /** What a function has done of a batch; undefined where it threw, or died. */
  async function worked(name: QueueName, messages: Message[]): Promise<object | undefined> {
    const Records = messages.map((message) => recordOf(message, name));
    const { death } = interference();
    const answer = copyOf(death)
      [name]({ Records })
      .catch(() => undefined);
    return death === undefined ? answer : Promise.race([answer, death.then(() => undefined)]);
  }

  /** Hands one batch of what a queue shows now to its function; false when it shows nothing. */
  async function workOnce(name: QueueName): Promise<boolean> {
    const { batch, settled } = interference();
    const request = { MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All' as const] };
    const { Messages = [] } = await sqs.client.send(new ReceiveMessageCommand({ QueueUrl: queues[name], ...request }));
    if (Messages.length === 0) return false;
    const received = Messages as (SqsMessage & Message)[];
    const response = await worked(name, batch?.(name, received) ?? received);
    if (response === undefined) return true;
    const done = settledMessages(received, JSON.stringify(response), true);
    const Entries = (settled?.(name, done) ?? done).map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
    }));
    if (Entries.length > 0) await sqs.client.send(new DeleteMessageBatchCommand({ QueueUrl: queues[name], Entries }));
    return true;
  }

  /** Works through everything that these queues (or all) show now, and what follows from it. */
  async function work(...which: readonly QueueName[]): Promise<void> {
    const chosen = which.length === 0 ? queueNames : which;
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (const name of chosen) if (isShowing(name)) isBusy = (await workOnce(name)) || isBusy;
    }
  }

  return { work, workOnce };
}
