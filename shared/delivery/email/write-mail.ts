import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { mailContentOf } from './mail-content.ts';
import type { MailFrame } from './mail-frame.ts';
import type { MailRecipient } from './mail-recipient.ts';
import { logoId, renderMailHtml } from './render-mail-html.ts';
import { renderMailText } from './render-mail-text.ts';
import { subjectHeader } from './subject-header.ts';

/** The address as SMTP servers without SMTPUTF8 take it: a domain of another script in its ASCII form (RFC 5890). */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`;
}

/** RFC 8058 section 3.1: the address that mail programs POST to when their user presses "unsubscribe". */
const unsubscribeHeaders = (url: string) => ({
  // Written as it is: folding or encoding would break the address.
  'List-Unsubscribe': { prepared: true, value: `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The logo as a part of the mail that its HTML shows (RFC 2387): mail programs show no `data:` addresses. */
function logoPart(logo: string | undefined) {
  const [, contentType, content] = /^data:(.*?);base64,(.*)$/.exec(logo ?? '') ?? [];
  if (contentType === undefined || content === undefined) return [];
  return [{ cid: logoId, contentType, content, encoding: 'base64', contentDisposition: 'inline' as const }];
}

/**
 * Writes the mail (RFC 5322 with MIME parts) of a message for one recipient; the event itself is an attachment, byte for
 * byte as it was published. No text in it can make a header: MailComposer folds and encodes every value.
 */
export async function writeMail(
  frame: MailFrame,
  message: ComposedMessage,
  recipient: MailRecipient,
  sender: string,
  footUrl?: string,
): Promise<Buffer> {
  const content = mailContentOf(frame, message, recipient, footUrl);
  const { published } = message;
  const composer = new MailComposer({
    from: { name: frame.senderName, address: sender },
    to: { name: '', address: mailboxOf(recipient.address) },
    date: new Date(message.timestamp),
    text: renderMailText(frame, content),
    html: renderMailHtml(frame, content),
    headers: {
      Subject: subjectHeader(content.subject),
      // RFC 3834: no out-of-office reply is sent to this.
      'Auto-Submitted': 'auto-generated',
      'Message-Type': message.type,
      'Subscription-Id': recipient.uuid,
      'Topic-Id': message.headers['topic-id'] ?? '',
      'X-Message-Id': message.messageId,
      'Content-Language': frame.language,
      // Who has not confirmed yet has nothing to leave.
      ...(footUrl === undefined || message.confirmation ? {} : unsubscribeHeaders(footUrl)),
    },
    attachments: [
      ...logoPart(frame.letterhead.logo),
      ...(published === undefined
        ? []
        : [
            {
              filename: published.contentType === 'application/json' ? 'event.json' : 'event.txt',
              contentType: published.contentType,
              content: published.body,
              contentTransferEncoding: 'base64' as const,
            },
          ]),
    ],
  });
  return composer.compile().build();
}
