import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { confirmationContent } from './confirmation-content.ts';
import type { MailContent } from './content.ts';
import { eventContent } from './event-content.ts';
import type { MailFrame } from './mail-frame.ts';
import type { MailRecipient } from './mail-recipient.ts';

/** What the mail of a message says. An event's fields are those that were published, whatever form others receive. */
export const mailContentOf = (
  frame: MailFrame,
  message: ComposedMessage,
  recipient: MailRecipient,
  footUrl: string | undefined,
): MailContent =>
  message.confirmation
    ? confirmationContent(frame, message, message.confirmation, recipient, footUrl)
    : eventContent(frame, message, message.published?.body ?? message.body, footUrl);
