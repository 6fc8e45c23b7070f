import { ClientError } from '../client-errors.ts';
import { firstIssue } from '../first-issue.ts';
import { type EventType, eventSchema, isEventType, nearEventType, uinFields } from './event.ts';

// The maximum length of a UIN in requests.
const maxUinLength = 256;

/** Returns the UINs that an event names, without duplicates. Omits missing UINs. */
export function uinsOfEvent(type: EventType, body: string): string[] {
  const event = Object(readEvent(body)) as Readonly<Record<string, unknown>>;
  const named = uinFields(type).flatMap((field) => event[field]);
  const uins = named.filter((uin) => typeof uin === 'string' && uin !== '') as string[];
  return [...new Set(uins.map((uin) => uin.slice(0, maxUinLength).toWellFormed()))];
}

// Matches a JSON string. A string without an end extends to the end of the text.
const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"?/gs;

/** Returns whether JSON is nested more than `levels` levels deep (`[]` is one level). Does not use recursion. */
export function isDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (const character of text.replace(jsonString, '')) {
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > levels) return true;
  }
  return false;
}

// The limit exceeds the depth of any real event, and is far below the depth that receivers' recursive parsers can
// handle.
const maxDepth = 100;

// `\s` also matches byte order marks. Receivers' parsers may be more lenient than ours, so this pattern is loose.
const beginsLikeJson = /^\s*[[{]/;

// RFC 8259 section 8.1 lets parsers ignore a byte order mark. Event checks ignore the byte order mark, but deliveries
// include it.
const withoutMark = (body: string): string => (body.startsWith('\ufeff') ? body.slice(1) : body);

/** Returns the parsed body of an event, or undefined if the body is not JSON. */
const readEvent = (body: string): unknown => parseJson(withoutMark(body));

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Returns whether the text is JSON. JSON is delivered as `application/json`, other text as `text/plain`. */
export const isJson = (body: string): boolean => parseJson(body) !== undefined;

/**
 * Returns the OSIA event type of an event: its subject or, if the subject is not an event type, the name of its topic.
 */
export function eventTypeOf(subject: string | undefined, topicName: string): EventType | undefined {
  const type = isEventType(subject) ? subject : topicName;
  return isEventType(type) ? type : undefined;
}

/**
 * Checks a publication whose subject or topic name is one of OSIA's 16 event types. A publication without an event type
 * passes unless its body looks like JSON that is nested more than 100 levels deep. Rejects a subject that is close to
 * an event type, because filters for this event type would miss the event.
 * @throws ClientError `malformedJson` for excessive nesting, `invalidEvent` with the field's name, `invalidParameter`
 * with the similar type
 */
export function checkEvent(subject: string | undefined, topicName: string, body: string): void {
  if (beginsLikeJson.test(body) && isDeeperThan(maxDepth, body))
    throw new ClientError(
      'malformedJson',
      `the body must not be nested deeper than ${maxDepth} levels if it begins like JSON`,
    );
  const near = subject === undefined ? undefined : nearEventType(subject);
  if (near !== undefined)
    throw new ClientError('invalidParameter', `subject is close to an event type: did you mean ${near}?`);
  const type = eventTypeOf(subject, topicName);
  if (type === undefined) return;
  const parsed = eventSchema(type).safeParse(readEvent(body));
  if (parsed.success) return;
  const { path, message } = firstIssue(parsed.error);
  throw new ClientError('invalidEvent', `${type}: ${path.join('.') || 'the body'} ${message}`);
}
