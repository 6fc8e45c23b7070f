import * as z from 'zod/mini';

/** The events of a mail that SES is asked to tell of. */
export const feedbackTypes = ['Bounce', 'Complaint', 'Reject'] as const;

const tag = z.optional(z.array(z.string()));
const tags = z.object({ subscription: tag, topic: tag, generation: tag, message: tag, type: tag });

/**
 * An event of Amazon SES event publishing, as far as it is read. Recipients and headers stand in it, too: they are
 * neither kept nor logged.
 */
export const mailFeedback = z.object({
  eventType: z.enum(feedbackTypes),
  mail: z.object({
    messageId: z.string(),
    /** When the mail was sent; RFC 3339. */
    timestamp: z.iso.datetime(),
    tags: z.optional(tags),
  }),
  bounce: z.optional(z.object({ bounceType: z.string(), bounceSubType: z.optional(z.string()) })),
  complaint: z.optional(z.object({ complaintFeedbackType: z.optional(z.nullable(z.string())) })),
});
export type MailFeedback = z.infer<typeof mailFeedback>;
