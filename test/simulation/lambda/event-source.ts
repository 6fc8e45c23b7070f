import type { SQSEvent } from 'aws-lambda';
import { recordOf, settledMessages } from '../../../infra/local/aws/functions/sqs-batch.ts';
import { actAs } from '../clock/life.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { asReceived } from '../sqs/commands.ts';
import type { Queue } from '../sqs/queue.ts';
import type { Kept } from '../sqs/queue-facts.ts';
import type { FunctionFacts, Platform } from './platform.ts';

/** A function that a queue feeds. */
export interface Source {
  readonly queue: Queue;
  readonly facts: FunctionFacts;
  readonly batchSize: number;
  /** How many batches are worked on at once at the most. */
  readonly maxConcurrency: number;
}

/** What a simulation may add between a queue and its function. */
export interface FeedHooks {
  /** How long it takes until what the queue shows is asked for, milliseconds. */
  readonly pollDelayMs?: (queue: Queue) => number;
  /** How many batches may be worked on at once just now, where that is fewer than `maxConcurrency`. */
  readonly limit?: (source: Source, atWork: number) => number;
  /** How many messages a batch takes, where that is fewer than `batchSize`. */
  readonly batchOf?: (source: Source) => number;
  /** A batch was received, which costs a request. */
  readonly onReceive?: (source: Source, messages: readonly Kept[]) => void;
  /** What of the settled messages is deleted. */
  readonly deleted?: (source: Source, settled: readonly Kept[]) => readonly Kept[];
}

// Where SQS shows no more, it is asked again after so long.
const overLimitMs = 1000;

/**
 * Feeds a function with what its queue shows, as Lambda's event source does: batches side by side, what the function names
 * as failed is left in the queue, and all of it where it throws, dies or takes too long. Asks when there is something to ask
 * for, and not before.
 */
export function feedFrom(source: Source, clock: VirtualClock, platform: Platform, hooks: FeedHooks = {}): void {
  const { queue, facts, batchSize, maxConcurrency } = source;
  let atWork = 0;
  let asksAt = Number.POSITIVE_INFINITY;

  /** Asks once the queue shows something, unless that is planned already. */
  function plan(): void {
    const shownAt = queue.nextShowAt();
    if (shownAt === undefined) return;
    const at = Math.max(shownAt, clock.now()) + (hooks.pollDelayMs?.(queue) ?? 0);
    if (at >= asksAt) return;
    asksAt = at;
    const ask = (): void => {
      if (asksAt === at) asksAt = Number.POSITIVE_INFINITY;
      pump();
    };
    // Not as whoever has sent something: they may be over by then.
    actAs(undefined, () => clock.after(at - clock.now(), ask));
  }

  async function work(messages: readonly Kept[]): Promise<void> {
    const shown = messages.map(asReceived);
    const event: SQSEvent = { Records: shown.map((message) => recordOf(message, queue.name)) };
    const ending = await platform.invoke(facts, event);
    if (ending.is !== 'answered') return;
    const settled = new Set(
      settledMessages(shown, JSON.stringify(ending.answer), true).map((one) => one.ReceiptHandle),
    );
    const done = shown.flatMap(({ ReceiptHandle }, index) => (settled.has(ReceiptHandle) ? [index] : []));
    // The receipt that this batch came with: the message may have been shown again meanwhile.
    const receipts = new Map(messages.map((message, index) => [message, shown[index]?.ReceiptHandle ?? '']));
    const kept = done.map((index) => messages[index] as Kept);
    for (const message of hooks.deleted?.(source, kept) ?? kept) queue.delete(receipts.get(message) ?? '');
  }

  const mayTake = (): boolean => atWork < Math.min(maxConcurrency, hooks.limit?.(source, atWork) ?? maxConcurrency);

  /** Takes batches while it may and there are any; a batch that ends plans the next. */
  function pump(): void {
    while (mayTake()) {
      const most = Math.min(batchSize, hooks.batchOf?.(source) ?? batchSize);
      const received = queue.receive(most, queue.attributes.visibilityMs);
      if (received === 'overLimit' || received.length === 0) {
        if (received === 'overLimit') clock.after(overLimitMs, plan);
        else plan();
        break;
      }
      hooks.onReceive?.(source, received);
      atWork += 1;
      void work(received).finally(() => {
        atWork -= 1;
        plan();
      });
    }
  }

  queue.onChange = plan;
  plan();
}
