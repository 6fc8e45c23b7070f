import type { ComposedMessage } from '../domain/deliveries/compose-message.ts';
import type { Outcome } from '../domain/deliveries/outcome.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';

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
export interface Sender {
  deliver(message: ComposedMessage, recipient: StoredSubscription, progress?: Progress): Promise<SendResult>;
}
