import type { SQSEvent } from 'aws-lambda';
import { completedMessages, recordOf } from '../../../infra/local/aws/functions/sqs-batch.ts';
import { runAs } from '../clock/actor.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { asReceived } from '../sqs/commands.ts';
import type { Queue } from '../sqs/queue.ts';
import type { StoredMessage } from '../sqs/queue-facts.ts';
import type { FunctionFacts, Platform } from './platform.ts';

export interface Source {
  readonly queue: Queue;
  readonly facts: FunctionFacts;
  readonly batchSize: number;
  /** The maximum number of concurrent batches. */
  readonly maxConcurrency: number;
}

export interface FeedHooks {
  /** Returns the delay between the arrival of a message and the next poll, in milliseconds. */
  readonly pollDelayMs?: (queue: Queue) => number;
  /** Returns the current limit on concurrent batches, if it is lower than `maxConcurrency`. */
  readonly limit?: (source: Source, running: number) => number;
  /** Called for each batch that is received, so that the SQS request can be billed. */
  readonly onReceive?: (source: Source, messages: readonly StoredMessage[]) => void;
  /** Returns those processed messages that Lambda successfully deletes from the queue. */
  readonly deleted?: (source: Source, settled: readonly StoredMessage[]) => readonly StoredMessage[];
}

// The interval between polls while SQS reports too many messages in flight.
const overLimitMs = 1000;

/**
 * Invokes a function with concurrent batches from a queue, as a Lambda event source does. Messages that the function
 * reports as failed remain in the queue. If the function throws, crashes or times out, the whole batch remains in the
 * queue. The event source polls only if the queue contains messages.
 */
export function feedFrom(source: Source, clock: VirtualClock, platform: Platform, hooks: FeedHooks = {}): void {
  const { queue, facts, batchSize, maxConcurrency } = source;
  let running = 0;
  let nextPollAt = Number.POSITIVE_INFINITY;

  /** Schedules the next poll for the time at which a message becomes visible in the queue. */
  function plan(): void {
    const shownAt = queue.nextShowAt();
    if (shownAt === undefined) return;
    const at = Math.max(shownAt, clock.now()) + (hooks.pollDelayMs?.(queue) ?? 0);
    if (at >= nextPollAt) return;
    nextPollAt = at;
    const poll = (): void => {
      if (nextPollAt === at) nextPollAt = Number.POSITIVE_INFINITY;
      receiveBatches();
    };
    // The poll runs outside the actor that sent the message, because that actor may have ended by then.
    runAs(undefined, () => clock.after(at - clock.now(), poll));
  }

  async function work(messages: readonly StoredMessage[]): Promise<void> {
    const received = messages.map(asReceived);
    const event: SQSEvent = { Records: received.map((message) => recordOf(message, queue.name)) };
    const ending = await platform.invoke(facts, event);
    if (ending.is !== 'returned') return;
    const completed = new Set(
      completedMessages(received, JSON.stringify(ending.result), true).map((one) => one.ReceiptHandle),
    );
    const done = received.flatMap(({ ReceiptHandle }, index) => (completed.has(ReceiptHandle) ? [index] : []));
    // Keeps the receipts of the batch, because a message may be received again while the function runs.
    const receipts = new Map(messages.map((message, index) => [message, received[index]?.ReceiptHandle ?? '']));
    const stored = done.map((index) => messages[index] as StoredMessage);
    for (const message of hooks.deleted?.(source, stored) ?? stored) queue.delete(receipts.get(message) ?? '');
  }

  const mayReceive = (): boolean =>
    running < Math.min(maxConcurrency, hooks.limit?.(source, running) ?? maxConcurrency);

  /** Receives batches until no message is ready or a limit is reached. The end of a batch schedules the next poll. */
  function receiveBatches(): void {
    while (mayReceive()) {
      const batch = queue.receive(batchSize, queue.attributes.visibilityMs);
      if (batch === 'overLimit' || batch.length === 0) {
        if (batch === 'overLimit') clock.after(overLimitMs, plan);
        else plan();
        break;
      }
      hooks.onReceive?.(source, batch);
      running += 1;
      void work(batch).finally(() => {
        running -= 1;
        plan();
      });
    }
  }

  queue.onChange = plan;
  plan();
}
