import type { ComposedMessage } from '../../domain/messages/compose-message.ts';
import type { Outcome } from '../../model/deliveries/outcome.ts';

/** Where a message goes: one subscription's address. */
export interface Recipient {
  readonly uuid: string;
  readonly address: string;
}

/**
 * A way to deliver. A receiver's failure is an outcome, never an exception; what is thrown is our own fault, and the
 * attempt counts as not made.
 */
export interface Sender<To extends Recipient = Recipient> {
  /** @param onBegun called once the receiver is asked: what came before it, our own queueing included, is not its doing */
  deliver(message: ComposedMessage, recipient: To, onBegun?: () => void): Promise<Outcome>;
}
