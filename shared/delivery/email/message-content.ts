import { showConfirmation } from '../../contract/endpoints/pages-endpoints.ts';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { requestOfToken } from '../../domain/subscriptions/confirmation-requests.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { tokenLifetimeDays } from '../../domain/subscriptions/subscription-token.ts';
import { type EventType, isEventType } from '../../domain/topics/event.ts';
import { statusTopicName } from '../../domain/topics/topic.ts';
import { isolated, shown } from '../../presentation/languages/isolated.ts';
import type { MailFrame } from '../../presentation/pages/letterhead.ts';
import { consequence, topicWords } from '../../presentation/pages/request-words.ts';
import { asSubject, firstOf, inLine, type MailContent, type Row } from './mail-content.ts';

/**
 * Returns the content of the email for a message. For events, shows the published body, regardless of the delivery
 * format.
 */
export function mailContentOf(
  frame: MailFrame,
  message: ComposedMessage,
  recipient: StoredSubscription,
  footUrl: string | undefined,
): MailContent {
  const { confirmation, topicName, isTest, published, body } = message;
  const { request, leave } = frame.texts;
  const link = footUrl === undefined ? {} : { link: { url: footUrl, label: confirmation ? request.never : leave } };
  if (confirmation) return { ...confirmationContent(frame, message, confirmation, recipient), ...link };
  const contentOf = topicName === statusTopicName && !isTest ? statusContent : eventContent;
  return { ...contentOf(frame, message, published?.body ?? body), ...link };
}

/**
 * Writes the opening paragraph. The paragraph omits the subjects that the caller chose, because the recipient did not
 * ask for the email.
 */
function openingOf(
  { texts, letterhead }: MailFrame,
  message: ComposedMessage,
  token: string,
  recipient: StoredSubscription,
): string {
  const { writing, confirm, eventNames } = texts;
  const topic = writing.quoted(inLine(topicWords(texts, message)));
  const organisation = letterhead.name && isolated(letterhead.name);
  const request = requestOfToken(recipient, token);
  if (request === undefined) return confirm.asked(topic, organisation);
  const { subjects } = request;
  const others = subjects.filter((name) => !isEventType(name)).length;
  const known = subjects.filter(isEventType).map((type) => eventNames[type]);
  const named = [...known, ...(others === 0 ? [] : [confirm.more(others)])];
  return `${confirm.asked(topic, organisation, writing.listed(named))} ${consequence(texts, recipient, request)}`;
}

/** Writes the email that requests a confirmation. */
const confirmationContent = (
  frame: MailFrame,
  message: ComposedMessage,
  { token }: { token: string },
  recipient: StoredSubscription,
): MailContent => {
  const { request, confirm } = frame.texts;
  return {
    // The subject line contains no text from the caller, because the recipient did not ask for this email.
    subject: request.title,
    heading: request.title,
    opening: openingOf(frame, message, token, recipient),
    button: {
      url: `${message.baseUrl}${showConfirmation.path}?token=${token}`,
      label: request.button,
      address: confirm.address,
    },
    rows: [],
    closing: confirm.otherwise(tokenLifetimeDays),
    notes: [],
  };
};

// A long number may be an identifier, so keep the digits that a JavaScript number would lose.
const keepDigits = (_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && String(value) !== source ? (source ?? value) : value;

/**
 * Parses a JSON object without losing digits of long numbers.
 * @throws RangeError if the object is nested too deeply
 */
function eventObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''), keepDigits);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return parsed as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// Mail programs truncate emails that are longer than about 100 KB. The attachment contains the complete event.
const limits = { rows: 40, value: 400, excerpt: 2000 };

type Texts = MailFrame['texts'];
type Fields = Pick<MailContent, 'rows' | 'others' | 'excerpt'>;

const shorten = ({ event }: Texts, text: string, length: number): string =>
  text.length > length ? event.continued(firstOf(text, length)) : text;

const isEmpty = (value: unknown): boolean => value === '' || value === null || value === undefined;

function shownValue(texts: Texts, value: unknown): string {
  if (isEmpty(value)) return texts.event.empty;
  const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  return isolated(shorten(texts, text, limits.value));
}

/** Returns the known fields that are not empty, with translated labels, and then all other fields. */
function fieldsOf(texts: Texts, type: EventType | undefined, text: string): Fields {
  const event = eventObject(text);
  if (event === undefined) return { rows: [], excerpt: shown(shorten(texts, text, limits.excerpt)) };
  const labels: Readonly<Record<string, string>> = {
    ...(type && texts.events[type].labels),
    source: texts.event.source,
  };
  const rowsOf = (fields: readonly (readonly [string, string])[]): Row[] =>
    fields.map(([name, label]) => ({ label, value: shownValue(texts, event[name]) }));
  const others = Object.keys(event).filter((name) => !Object.hasOwn(labels, name));
  const rest = others.length - limits.rows;
  return {
    rows: rowsOf(Object.entries(labels).filter(([name]) => !isEmpty(event[name]))),
    ...(others.length > 0 && {
      others: {
        heading: texts.event.others,
        rows: rowsOf(others.slice(0, limits.rows).map((name) => [name, inLine(name)])),
        ...(rest > 0 && { rest: texts.event.more(rest) }),
      },
    }),
  };
}

/** If the event cannot be displayed, returns no fields, because the email must still be sent. */
function safeFieldsOf(texts: Texts, type: EventType | undefined, text: string): Fields & Pick<MailContent, 'closing'> {
  try {
    return { ...fieldsOf(texts, type, text), closing: texts.event.attached };
  } catch {
    return { rows: [], closing: texts.event.hidden };
  }
}

function timeOf({ texts, timeZone }: MailFrame, timestamp: string): string {
  const when = new Date(timestamp);
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(texts.locale, { ...options, timeZone });
  const date = formatOf({ dateStyle: 'long' }).format(when);
  const time = formatOf({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(when);
  const zone = formatOf({ timeZoneName: 'short' })
    .formatToParts(when)
    .find(({ type }) => type === 'timeZoneName');
  return texts.moment(date, time, zone?.value.replace(/\+0$/, '') ?? timeZone);
}

/**
 * Returns a sentence that describes the OSIA event type. For other events, returns the subject or the topic's title.
 */
function headingOf(texts: Texts, message: ComposedMessage, type?: EventType): string {
  const { events, event } = texts;
  if (message.isTest) return event.test;
  return type === undefined ? inLine(message.subject ?? topicWords(texts, message)) : events[type].happened;
}

// In the subject line, our own sentences follow a colon. Text from others stays unchanged.
const afterColon = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** Writes the email about an event. */
function eventContent(frame: MailFrame, message: ComposedMessage, body: Buffer): MailContent {
  const { texts } = frame;
  const { subject, topicName, isTest, timestamp, messageId } = message;
  const [type] = [subject ?? topicName].filter(isEventType);
  const topic = inLine(topicWords(texts, message));
  const { writing } = texts;
  const quoted = writing.quoted(topic);
  const heading = headingOf(texts, message, type);
  const after = isTest || type !== undefined ? afterColon(heading) : heading;
  return {
    subject: asSubject(subject === undefined && type === undefined ? topic : `${writing.introducing(topic)} ${after}`),
    heading,
    opening: isTest ? texts.event.tested(quoted) : texts.event.published(quoted, isolated(timeOf(frame, timestamp))),
    ...safeFieldsOf(texts, type, body.toString('utf8')),
    notes: [texts.event.subscribed(quoted), texts.event.message(isolated(messageId))],
  };
}

/** Writes the email about the state of a subscription: the receiver, the time, the failure, and what to do. */
function statusContent(frame: MailFrame, message: ComposedMessage, body: Buffer): MailContent {
  const { event: texts, status, request } = frame.texts;
  const { uuid, topic, receiver, since, class: kind, ...event } = eventObject(body.toString('utf8')) ?? {};
  const state = event.state === 'failing' || event.state === 'paused' ? event.state : 'recovered';
  const host = URL.parse(String(receiver))?.host ?? String(receiver);
  const when = isolated(timeOf(frame, String(since)));
  const failure = [kind, event.status, event.code].filter((part) => part !== undefined).join(' ');
  const rows: Row[] = [
    { label: frame.texts.address, value: inLine(host) },
    { label: status.topic, value: inLine(String(topic)) },
    ...(failure === '' ? [] : [{ label: status.failure, value: inLine(failure) }]),
    { label: status.subscription, value: isolated(String(uuid)) },
  ];
  const { heading, opening, next } = status[state];
  return {
    subject: asSubject(heading(inLine(host))),
    heading: heading(inLine(host)),
    opening: opening(when),
    rows,
    closing: next,
    notes: [
      texts.subscribed(frame.texts.writing.quoted(request.statusTopic)),
      texts.message(isolated(message.messageId)),
    ],
  };
}
