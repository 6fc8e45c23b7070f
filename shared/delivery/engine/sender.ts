import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import type { Outcome } from '../../model/deliveries/outcome.ts';

/** Where a message goes: one subscription's address. */
export interface Recipient {
  readonly uuid: string;
  readonly address: string;
}

/** How far a delivery has come: what is before, our own queueing included, is not the receiver's doing. */
export interface Progress {
  /** The receiver's name is looked up, and a connection to it opened. */
  onConnecting(): void;
  /** The receiver is asked. */
  onBegun(): void;
}

/**
 * A way to deliver. A receiver's failure is an outcome, never an exception; what is thrown is our own fault, and the
 * attempt counts as not made.
 */
export interface Sender<To extends Recipient = Recipient> {
  deliver(message: ComposedMessage, recipient: To, progress?: Progress): Promise<Outcome>;
}
