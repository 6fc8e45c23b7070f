import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { Recipient } from '../engine/sender.ts';

/**
 * Whoever gets mail can leave by it, which takes the generation of the topic that the subscription belongs to; and a request to
 * confirm says what it would change.
 */
export type MailRecipient = Recipient &
  Pick<
    StoredSubscription,
    'generation' | 'requests' | 'isActive' | 'owner' | 'subjects' | 'countdownSeconds' | 'maxRetries'
  >;
