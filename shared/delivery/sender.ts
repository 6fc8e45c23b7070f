import type { ComposedMessage } from '../domain/deliveries/compose-message.ts';
import type { Outcome } from '../domain/deliveries/outcome.ts';

export interface Recipient {
  readonly uuid: string;
  readonly address: string;
}

/** The progress of an attempt. Our own queueing before it is not the receiver's fault. */
export interface Progress {
  onConnecting(): void;
  onBegun(): void;
}

/**
 * Sends messages on one channel. A receiver's failure is an outcome, never an exception. An exception is an internal
 * error, and the attempt does not count.
 */
export interface Sender<To extends Recipient = Recipient> {
  deliver(message: ComposedMessage, recipient: To, progress?: Progress): Promise<Outcome>;
}
