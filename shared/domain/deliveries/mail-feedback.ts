import * as z from 'zod/mini';
import type { PauseReason } from '../subscriptions/subscription.ts';

/**
 * Returns the reason why an SES event pauses the subscription: a permanent bounce or a complaint. A temporary bounce,
 * such as a full mailbox, does not pause the subscription. SES rejects emails for reasons that do not depend on the
 * address, so a rejection does not pause the subscription either. Feedback of the type `not-spam` (RFC 5965 section
 * 7.3) does not count as a complaint.
 */
export function pauseReasonOf({ eventType, bounce, complaint }: MailFeedback): PauseReason | undefined {
  if (eventType === 'Bounce') return bounce?.bounceType === 'Permanent' ? 'bounce' : undefined;
  if (eventType === 'Complaint') return complaint?.complaintFeedbackType === 'not-spam' ? undefined : 'complaint';
  return undefined;
}

export const feedbackTypes = ['Bounce', 'Complaint', 'Reject'] as const;

const tag = z.optional(z.array(z.string()));
const tags = z.object({ subscription: tag, topic: tag, generation: tag, message: tag, type: tag });

/** An event from Amazon SES event publishing. The recipients and headers of the email are neither stored nor logged. */
export const mailFeedback = z.object({
  eventType: z.enum(feedbackTypes),
  mail: z.object({
    messageId: z.string(),
    /** The time when the email was sent (RFC 3339). */
    timestamp: z.iso.datetime(),
    tags: z.optional(tags),
  }),
  bounce: z.optional(z.object({ bounceType: z.string(), bounceSubType: z.optional(z.string()) })),
  complaint: z.optional(z.object({ complaintFeedbackType: z.optional(z.nullable(z.string())) })),
});
export type MailFeedback = z.infer<typeof mailFeedback>;
