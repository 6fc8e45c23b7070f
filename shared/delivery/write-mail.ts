import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { ComposedMessage } from '../domain/compose-message.ts';
import type { Recipient } from './channel.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

type Row = readonly [label: string, value: string];

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The event's fields as rows, when its body is a JSON object. */
function fieldsOf(body: string): Row[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return [];
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return [];
  return Object.entries(parsed)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, shownValue(value)]);
}

interface Letter {
  readonly subject: string;
  readonly opening: string;
  readonly rows: readonly Row[];
  readonly link?: { readonly url: string; readonly label: string };
  readonly closing: string;
}

function eventLetter(message: ComposedMessage): Letter {
  const event = message.subject ?? message.topicName;
  return {
    subject: message.subject ? `${message.topicName}: ${message.subject}` : message.topicName,
    opening: `A new event was published to the topic ${message.topicName}: ${event}.`,
    rows: [
      ...fieldsOf(message.body.toString('utf8')),
      ['published', message.timestamp],
      ['message id', message.messageId],
    ],
    closing: 'The event is attached as it was published.',
  };
}

function confirmationLetter(message: ComposedMessage, confirmation: { url: string; token: string }): Letter {
  return {
    subject: `Confirm your subscription to ${message.topicName}`,
    opening: `This address was subscribed to the topic ${message.topicName}. Nothing is sent until you confirm.`,
    rows: [['token', confirmation.token]],
    link: { url: confirmation.url, label: 'Confirm the subscription' },
    closing: 'If you did not ask for this, do nothing: the request ends by itself in 3 days.',
  };
}

function textOf({ opening, rows, link, closing }: Letter): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  const table = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n');
  const linkText = link ? `${link.label}:\n${link.url}\n\n` : '';
  return `${opening}\n\n${linkText}${table}\n\n${closing}\n`;
}

function htmlOf({ subject, opening, rows, link, closing }: Letter): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th scope="row" style="text-align:left;padding:4px 16px 4px 0;font-weight:600">${escapeHtml(label)}</th>` +
      `<td style="padding:4px 0;font-family:monospace;word-break:break-all">${escapeHtml(value)}</td></tr>`,
  );
  const button = link
    ? `<p><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:10px 18px;background:#1a4f8b;color:#fff;` +
      `text-decoration:none;border-radius:4px">${escapeHtml(link.label)}</a></p>` +
      `<p style="word-break:break-all">${escapeHtml(link.url)}</p>`
    : '';
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="font-family:sans-serif;line-height:1.5;color:#1b1b1b;max-width:40em;margin:0 auto;padding:16px">` +
    `<p>${escapeHtml(opening)}</p>${button}<table style="border-collapse:collapse">${cells.join('')}</table>` +
    `<p style="color:#555">${escapeHtml(closing)}</p></body></html>`
  );
}

/** Writes the mail (RFC 5322 with MIME parts) of a message for one recipient; the event itself is an attachment. */
export async function writeMail(message: ComposedMessage, recipient: Recipient, sender: string): Promise<Buffer> {
  const letter = message.confirmation ? confirmationLetter(message, message.confirmation) : eventLetter(message);
  const isJson = message.contentType === 'application/json';
  const composer = new MailComposer({
    from: sender,
    to: { name: '', address: recipient.address },
    subject: letter.subject,
    date: new Date(message.timestamp),
    text: textOf(letter),
    html: htmlOf(letter),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Message-Type': message.type,
      'Subscription-Id': recipient.uuid,
      'Topic-Id': message.headers['topic-id'] ?? '',
      'X-Message-Id': message.messageId,
    },
    attachments: [
      {
        filename: isJson ? 'event.json' : 'event.txt',
        contentType: message.contentType,
        content: message.body,
        contentTransferEncoding: 'base64',
      },
    ].slice(message.confirmation ? 1 : 0) as never,
  });
  return composer.compile().build();
}
