import { showConfirmation } from '../../contract/endpoints/pages.ts';
import type { ComposedMessage } from '../../domain/messages/compose-message.ts';
import { requestOfToken } from '../../domain/subscriptions/confirmation-state.ts';
import { tokenLifetimeDays } from '../../domain/subscriptions/subscription-token.ts';
import { spokenEvent } from '../../domain/topics/spoken-event.ts';
import { isEventType } from '../../model/topics/event.ts';
import { consequence, inList } from '../../pages/request-words.ts';
import { shown } from '../../pages/shown.ts';
import type { MailRecipient } from './mail-recipient.ts';

type Row = readonly [label: string, value: string];

/** What a mail says, before it is written as text and as HTML. */
export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  readonly opening: string;
  readonly button?: { readonly url: string; readonly label: string };
  readonly rows: readonly Row[];
  /** Text that is no JSON object, shown as it is. */
  readonly excerpt?: string;
  readonly closing: string;
  /** In smaller print: for machines, and for whoever asks what this is. */
  readonly notes: readonly string[];
  readonly link?: { readonly url: string; readonly label: string };
}

// The whole event is attached; mail programs cut off what is longer than about 100 KB.
const longest = { rows: 40, value: 400, excerpt: 2000, name: 80 };

const shorten = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** Others' words within a line of ours. */
const inLine = (text: string): string => shorten(shown(text).replace(/\s+/gu, ' ').trim(), longest.name);

function shownValue(value: unknown): string {
  const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  return shorten(shown(text), longest.value);
}

function objectIn(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The event's fields, without those that are empty; or its text, when it is no JSON object. */
function fieldsOf(text: string): Pick<MailContent, 'rows' | 'excerpt'> {
  const event = objectIn(text);
  if (event === undefined) return { rows: [], excerpt: shorten(shown(text), longest.excerpt) };
  const fields = Object.entries(event).filter(([, value]) => value !== '');
  const rows = fields.slice(0, longest.rows).map(([name, value]): Row => [inLine(name), shownValue(value)]);
  const rest = fields.length - rows.length;
  return { rows: rest === 0 ? rows : [...rows, ['…', `and ${rest} more in the attachment`]] };
}

/** The same, or that it cannot be shown: whatever an event holds, its mail must go out. */
function shownOf(text: string): Pick<MailContent, 'rows' | 'excerpt' | 'closing'> {
  try {
    return { ...fieldsOf(text), closing: 'The event is attached as it was published.' };
  } catch {
    return { rows: [], closing: 'This event cannot be shown in a mail. It is attached as it was published.' };
  }
}

const inWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });

function eventContent(message: ComposedMessage, body: Buffer, unsubscribeUrl: string | undefined): MailContent {
  const topicName = inLine(message.topicName);
  const subject = message.subject === undefined ? undefined : inLine(message.subject);
  const event = subject === undefined ? '' : ` (${subject})`;
  return {
    subject: subject === undefined ? topicName : `${topicName}: ${subject}`,
    heading: spokenEvent(subject ?? topicName),
    opening: message.isTest
      ? `This is a test of the subscription to the topic ${topicName}: nothing has happened.`
      : `A new event${event} was published to the topic ${topicName} on ${inWords.format(new Date(message.timestamp))} UTC.`,
    ...shownOf(body.toString('utf8')),
    notes: [
      `Message id: ${message.messageId}`,
      `You receive this mail because this address is subscribed to the topic ${topicName}.`,
    ],
    ...(unsubscribeUrl === undefined ? {} : { link: { url: unsubscribeUrl, label: 'Unsubscribe' } }),
  };
}

/** What the request asks for. What its caller names by itself stands on the page: nobody has consented to this mail yet. */
function askedFor(message: ComposedMessage, token: string, recipient: MailRecipient): string {
  const request = requestOfToken(recipient, token);
  const asked = `Somebody asked for this address to be told of the events of the topic “${inLine(message.topicName)}”`;
  if (request === undefined) return `${asked}.`;
  const { subjects } = request;
  const others = subjects.filter((name) => !isEventType(name)).length;
  const known = subjects.filter(isEventType).map(spokenEvent);
  const named = [...known, ...(others === 0 ? [] : [`${others} more, which the page names`])];
  const only = subjects.length === 0 ? '' : `, but only of these: ${inList(named)}`;
  return `${asked}${only}. ${consequence(recipient, request)}`;
}

const confirmationContent = (
  message: ComposedMessage,
  { url, token }: { url: string; token: string },
  recipient: MailRecipient,
  neverAskUrl: string | undefined,
): MailContent => ({
  // Its subject is ours alone, for the same reason.
  subject: 'Confirm your subscription',
  heading: 'Confirm your subscription',
  opening: askedFor(message, token, recipient),
  button: { url: `${message.baseUrl}${showConfirmation.path}?token=${token}`, label: 'Confirm the subscription' },
  rows: [],
  closing: `If you did not ask for this, do nothing: the request ends by itself in ${tokenLifetimeDays} days.`,
  notes: [`For programs: confirm with GET ${url}`, `Token: ${token}`],
  ...(neverAskUrl === undefined ? {} : { link: { url: neverAskUrl, label: 'Never ask this address again' } }),
});

/** What the mail of a message says. An event's fields are those that were published, whatever form others receive. */
export const mailContentOf = (
  message: ComposedMessage,
  recipient: MailRecipient,
  footUrl: string | undefined,
): MailContent =>
  message.confirmation
    ? confirmationContent(message, message.confirmation, recipient, footUrl)
    : eventContent(message, message.published?.body ?? message.body, footUrl);
