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
  /** The newest receipt, which can delete the message. */
  receipt: string;
  /** The message is a duplicate. */
  isRepeated: boolean;
  /** When the message is shown next. In the past while it is ready. */
  showAt: number;
  /** `delayed` and `inFlight` are hidden. `gone` means deleted, expired, or moved to the dead-letter queue. */
  state: 'ready' | 'delayed' | 'inFlight' | 'gone';
}

export interface QueueAttributes {
  readonly visibilityMs: number;
  readonly retentionMs: number;
  readonly maximumBytes: number;
  /** The dead-letter queue for messages that were received too often. */
  readonly redrive: { readonly to: Queue; readonly maxReceiveCount: number } | undefined;
}

/** Irregular behaviour that SQS permits. */
export interface Quirks {
  /** Shows a received message again after this time in milliseconds, even if it is deleted (at-least-once delivery). */
  readonly showsAgainAfter?: (queue: Queue, message: StoredMessage) => number | undefined;
  /** Changes the order of ready messages. */
  readonly order?: <Value>(queue: Queue, messages: Value[]) => Value[];
  /** Rejects one entry of a batch and accepts the others. */
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
