import type { Queue } from './queue.ts';

/** A stored message. Times are epoch milliseconds. */
export interface StoredMessage {
  readonly id: string;
  readonly body: string;
  readonly group: string;
  readonly sentAt: number;
  readonly bytes: number;
  receives: number;
  firstReceivedAt: number;
  /** The newest receipt, which is required to delete the message. */
  receipt: string;
  /** Whether the message has already been duplicated, or is itself a duplicate. */
  isRepeated: boolean;
  /** The time at which the message next becomes visible in the queue, or a past time if the message is ready. */
  showAt: number;
  /**
   * Messages in the states `delayed` and `inFlight` are hidden. Messages in the `held` state are also hidden, and SQS
   * does not count them. Messages in the `gone` state have been deleted, have expired, or have been moved to the
   * dead-letter queue.
   */
  state: 'ready' | 'delayed' | 'inFlight' | 'held' | 'gone';
}

export interface QueueAttributes {
  readonly visibilityMs: number;
  readonly retentionMs: number;
  readonly maximumBytes: number;
  /** The dead-letter queue for messages that have been received too often. */
  readonly redrive: { readonly to: Queue; readonly maxReceiveCount: number } | undefined;
}

/** Irregular behaviour that SQS permits. */
export interface Quirks {
  /**
   * Returns the number of milliseconds after which a received message becomes visible again, even if it has been
   * deleted (at-least-once delivery).
   */
  readonly showsAgainAfter?: (queue: Queue, message: StoredMessage) => number | undefined;
  /** Returns the delay, in milliseconds, before a new message becomes visible. `delayMs` is its requested delay. */
  readonly arrivesLateBy?: (queue: Queue, message: Pick<StoredMessage, 'body'>, delayMs: number) => number;
  /** Returns the ready messages in a new order. */
  readonly order?: <Value>(queue: Queue, messages: Value[]) => Value[];
  /** Returns whether the queue rejects one batch entry and accepts the other entries. */
  readonly rejectsEntry?: (queue: Queue) => boolean;
}

export interface QueueFacts {
  readonly name: string;
  readonly attributes: QueueAttributes;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly quirks: Quirks;
}
