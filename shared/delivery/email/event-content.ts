import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { type EventType, isEventType } from '../../domain/topics/event.ts';
import { isolated, plainly } from '../../presentation/languages/isolated.ts';
import { shown } from '../../presentation/languages/shown.ts';
import type { MailContent, Row } from './content.ts';
import { eventObject } from './event-object.ts';
import type { MailFrame } from './mail-frame.ts';
import { firstOf, inLine } from './others-words.ts';

// The whole event is attached; mail programs cut off what is longer than about 100 KB.
const longest = { rows: 40, value: 400, excerpt: 2000 };

type Texts = MailFrame['texts'];
type Fields = Pick<MailContent, 'rows' | 'others' | 'excerpt'>;

const shorten = ({ event }: Texts, text: string, length: number): string =>
  text.length > length ? event.continued(firstOf(text, length)) : text;

const isEmpty = (value: unknown): boolean => value === '' || value === null || value === undefined;

function shownValue(texts: Texts, value: unknown): string {
  if (isEmpty(value)) return texts.event.empty;
  const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  return isolated(shorten(texts, text, longest.value));
}

/** The fields of the type under our labels, without those that are empty; then all others under their names. */
function fieldsOf(texts: Texts, type: EventType | undefined, text: string): Fields {
  const event = eventObject(text);
  if (event === undefined) return { rows: [], excerpt: shown(shorten(texts, text, longest.excerpt)) };
  const labels: Readonly<Record<string, string>> = {
    ...(type && texts.events[type].labels),
    source: texts.event.source,
  };
  const rowsOf = (fields: readonly (readonly [string, string])[]): Row[] =>
    fields.map(([name, label]) => ({ label, value: shownValue(texts, event[name]) }));
  const others = Object.keys(event).filter((name) => !Object.hasOwn(labels, name));
  const rest = others.length - longest.rows;
  return {
    rows: rowsOf(Object.entries(labels).filter(([name]) => !isEmpty(event[name]))),
    ...(others.length > 0 && {
      others: {
        heading: texts.event.others,
        rows: rowsOf(others.slice(0, longest.rows).map((name) => [name, inLine(name)])),
        ...(rest > 0 && { rest: texts.event.more(rest) }),
      },
    }),
  };
}

/** The same, or that it cannot be shown: whatever an event holds, its mail must go out. */
function shownOf(texts: Texts, type: EventType | undefined, text: string): Fields & Pick<MailContent, 'closing'> {
  try {
    return { ...fieldsOf(texts, type, text), closing: texts.event.attached };
  } catch {
    return { rows: [], closing: texts.event.hidden };
  }
}

// As CLDR has the signs of numbers where one writes from right to left: the offset is read from left to right.
const offsetMark = '\u200e';

function timeOf({ texts, timeZone }: MailFrame, timestamp: string): string {
  const { locale, direction } = texts.writing;
  const format = new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: 'long', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    timeZone,
    timeZoneName: 'short',
  });
  const time = format.format(new Date(timestamp));
  return direction === 'rtl' ? time.replace(/(?=[+-]\d)/u, offsetMark) : time;
}

/** What happened, in a sentence where it is of a type: its topic may be named like one. */
function headingOf(
  { events, event }: Texts,
  { isTest, subject, topicName }: ComposedMessage,
  type?: EventType,
): string {
  if (isTest) return event.test;
  return type === undefined ? inLine(subject ?? topicName) : events[type].happened;
}

/** What the mail of an event says. `unsubscribeUrl` is the way to leave. */
export function eventContent(
  frame: MailFrame,
  message: ComposedMessage,
  body: Buffer,
  unsubscribeUrl: string | undefined,
): MailContent {
  const { texts } = frame;
  const { subject, topicName, isTest, timestamp, messageId } = message;
  const [type] = [subject ?? topicName].filter(isEventType);
  const topic = inLine(topicName);
  const heading = headingOf(texts, message, type);
  return {
    subject: plainly(subject === undefined && type === undefined ? topic : texts.event.subject(topic, heading)),
    heading,
    opening: isTest ? texts.event.tested(topic) : texts.event.published(topic, isolated(timeOf(frame, timestamp))),
    ...shownOf(texts, type, body.toString('utf8')),
    notes: [
      ...(subject === undefined ? [] : [texts.event.named(inLine(subject))]),
      texts.event.message(isolated(messageId)),
      texts.event.subscribed(topic),
    ],
    ...(unsubscribeUrl === undefined ? {} : { link: { url: unsubscribeUrl, label: texts.event.leave } }),
  };
}
