import type { ComposedMessage } from '../domain/deliveries/compose-message.ts';
import type { Outcome } from '../domain/deliveries/outcome.ts';

export interface Recipient {
  readonly uuid: string;
  readonly address: string;
}

/** Callbacks during an attempt. Time spent waiting for a socket does not count against the receiver. */
export interface Progress {
  onConnecting(): void;
  onBegun(): void;
}

/** `response`: the readable beginning of an error response, if the deployment keeps responses. */
export type SendResult = Outcome & { readonly response?: string };

/**
 * Sends messages on one channel. A sender returns receiver failures as outcomes, and never throws them. Thrown errors
 * are internal errors, and do not count as attempts.
 */
export interface Sender<To extends Recipient = Recipient> {
  deliver(message: ComposedMessage, recipient: To, progress?: Progress): Promise<SendResult>;
}
