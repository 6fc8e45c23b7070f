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
  /** Whether the message has already been duplicated or is itself the duplicate. */
  isRepeated: boolean;
  /** When the message is shown next. A time in the past if the message is ready. */
  showAt: number;
  /** `delayed` and `inFlight` messages are hidden. `gone` means deleted, expired, or moved to the dead-letter queue. */
  state: 'ready' | 'delayed' | 'inFlight' | 'gone';
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
   * Returns the milliseconds after which a received message is shown again, even if the message is deleted
   * (at-least-once delivery).
   */
  readonly showsAgainAfter?: (queue: Queue, message: StoredMessage) => number | undefined;
  /** Returns ready messages in another order. */
  readonly order?: <Value>(queue: Queue, messages: Value[]) => Value[];
  /** Returns whether the queue rejects an entry of a batch and accepts the rest. */
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
