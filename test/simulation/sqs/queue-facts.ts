import type { Queue } from './queue.ts';

/** A message as the queue keeps it. Times are epoch milliseconds. */
export interface Kept {
  readonly id: string;
  readonly body: string;
  readonly group: string;
  readonly sentAt: number;
  readonly bytes: number;
  receives: number;
  firstReceivedAt: number;
  /** The newest, by which it can be deleted. */
  receipt: string;
  /** It is shown once more than it should be. */
  isRepeated: boolean;
  /** When it is shown (again); while it waits in line this has passed. */
  showAt: number;
  /** `ready` waits in line, `hidden` is delayed or being worked on, `gone` was deleted, put aside or forgotten. */
  state: 'ready' | 'delayed' | 'inFlight' | 'gone';
}

export interface QueueAttributes {
  readonly visibilityMs: number;
  readonly retentionMs: number;
  readonly maximumBytes: number;
  /** Where messages go that were received so often without being deleted. */
  readonly redrive: { readonly to: Queue; readonly maxReceiveCount: number } | undefined;
}

/** What a queue may do to its messages that its callers must live with. */
export interface Whims {
  /** At least once: a message received now is shown a second time, so many milliseconds later, whatever becomes of it. */
  readonly showsAgainAfter?: (queue: Queue, message: Kept) => number | undefined;
  /** In which order what is ready is shown. */
  readonly order?: <Value>(queue: Queue, messages: Value[]) => Value[];
  /** An entry of a batch is refused; the others are taken. */
  readonly refuses?: (queue: Queue) => boolean;
}

export interface QueueFacts {
  readonly name: string;
  readonly attributes: QueueAttributes;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly whims: Whims;
}
