import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { MailFrame } from '../../presentation/pages/letterhead.ts';
import { mailContentOf } from './message-content.ts';
import { logoId, renderMailHtml } from './render-mail-html.ts';
import { renderMailText } from './render-mail-text.ts';

/** Encodes a subject that looks like an encoded word (RFC 2047), because mail programs would decode it. */
const subjectHeader = (subject: string) =>
  subject.includes('=?') ? { prepared: true, foldLines: true, value: encodeWord(subject, 'B', 52) } : subject;

/** Returns the address with its domain in ASCII (RFC 5890), for SMTP servers without SMTPUTF8. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`;
}

/** Returns the headers for one-click unsubscription (RFC 8058): mail programs send a POST request to the URL. */
const unsubscribeHeaders = (url: string) => ({
  // Do not fold or encode the header value, because either change would break the URL.
  'List-Unsubscribe': { prepared: true, value: `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Attaches the logo to the email (RFC 2387), because mail programs do not show `data:` URLs. */
function logoPart(logo: string | undefined) {
  const [, contentType, content] = /^data:(.*?);base64,(.*)$/.exec(logo ?? '') ?? [];
  if (contentType === undefined || content === undefined) return [];
  return [{ cid: logoId, contentType, content, encoding: 'base64', contentDisposition: 'inline' as const }];
}

function eventPart(published: ComposedMessage['published']) {
  if (published === undefined) return [];
  const { contentType, body: content } = published;
  const filename = contentType === 'application/json' ? 'event.json' : 'event.txt';
  return [{ filename, contentType, content, contentTransferEncoding: 'base64' as const }];
}

/**
 * Writes the email (RFC 5322 with MIME parts) for one message and recipient, with the event attached unchanged. Header
 * injection is impossible, because MailComposer folds and encodes header values.
 */
export async function writeMail(
  frame: MailFrame,
  message: ComposedMessage,
  recipient: StoredSubscription,
  sender: string,
  footUrl?: string,
): Promise<Buffer> {
  const content = mailContentOf(frame, message, recipient, footUrl);
  const composer = new MailComposer({
    from: { name: frame.senderName, address: sender },
    to: { name: '', address: mailboxOf(recipient.address) },
    date: new Date(message.timestamp),
    text: renderMailText(frame, content),
    html: renderMailHtml(frame, content),
    headers: {
      Subject: subjectHeader(content.subject),
      // RFC 3834: prevents out-of-office replies.
      'Auto-Submitted': 'auto-generated',
      'Message-Type': message.type,
      'Subscription-Id': recipient.uuid,
      'Topic-Id': message.headers['topic-id'] ?? '',
      'X-Message-Id': message.messageId,
      'Content-Language': frame.language,
      // Recipients who have not confirmed a subscription have nothing to unsubscribe from.
      ...(footUrl === undefined || message.confirmation ? {} : unsubscribeHeaders(footUrl)),
    },
    attachments: [...logoPart(frame.letterhead.logo), ...eventPart(message.published)],
  });
  return composer.compile().build();
}
