import type { PauseReason } from '../subscriptions/subscription.ts';
import type { MailFeedback } from './mail-feedback.ts';

/**
 * What a mail's fate means for its subscription: an address that does not exist and a recipient who complains are not
 * written to any more. A full mailbox passes, SES's own refusal (a virus) says nothing about the address, and a report of
 * "not spam" (RFC 5965 section 7.3) is the opposite of a complaint: undefined.
 */
export function judgeFeedback({ eventType, bounce, complaint }: MailFeedback): PauseReason | undefined {
  if (eventType === 'Bounce') return bounce?.bounceType === 'Permanent' ? 'bounce' : undefined;
  if (eventType === 'Complaint') return complaint?.complaintFeedbackType === 'not-spam' ? undefined : 'complaint';
  return undefined;
}
