import { ClientError } from '../client-errors.ts';
import { type EventType, eventSchema, isEventType, nearEventType, uinFields } from './event.ts';

// Maximum length of a UIN in requests.
const maxUinLength = 256;

/** Returns the UINs that an event names, without duplicates. Omits missing UINs. */
export function uinsOfEvent(type: EventType, body: string): string[] {
  const event = Object(readEvent(body)) as Readonly<Record<string, unknown>>;
  const named = uinFields(type).flatMap((field) => event[field]);
  const uins = named.filter((uin) => typeof uin === 'string' && uin !== '') as string[];
  return [...new Set(uins.map((uin) => uin.slice(0, maxUinLength).toWellFormed()))];
}

const [quote, backslash] = [0x22, 0x5c];
const opening: readonly number[] = [0x5b, 0x7b];
const closing: readonly number[] = [0x5d, 0x7d];

/** Returns whether JSON is nested more than `levels` deep (`[]` is one level). Does not use recursion. */
export function isDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (opening.includes(code)) depth++;
    else if (closing.includes(code)) depth--;
    if (depth > levels) return true;
  }
  return false;
}

// Deeper than any real event, and far below what receivers' recursive parsers can read.
const maxDepth = 100;

// `\s` also matches byte order marks. Lenient parsers, which recurse too, accept more text as JSON than our parser.
const beginsLikeJson = /^\s*[[{]/;

// RFC 8259 section 8.1 lets readers ignore a byte order mark. Receivers may not, so the delivered text keeps it.
const withoutMark = (body: string): string => (body.startsWith('\ufeff') ? body.slice(1) : body);

/** Returns the parsed body of an event, or undefined if it is not JSON. */
const readEvent = (body: string): unknown => parseJson(withoutMark(body));

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Returns whether the text is JSON, which is delivered as `application/json`; other text as `text/plain`. */
export const isJson = (body: string): boolean => parseJson(body) !== undefined;

/** Returns the OSIA event type of an event: its subject or, failing that, its topic's name. */
export function eventTypeOf(subject: string | undefined, topicName: string): EventType | undefined {
  const type = isEventType(subject) ? subject : topicName;
  return isEventType(type) ? type : undefined;
}

/**
 * Checks a publication whose subject or topic name is one of OSIA's 16 event types. Other publications pass, unless the
 * body looks like JSON nested deeper than 100 levels. A subject that is close to an event type is rejected, because its
 * event would pass unchecked and reach no receiver that filters by type.
 * @throws ClientError `malformedJson` for the depth, `invalidEvent` naming the field, `invalidParameter` naming the
 * similar type
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
  const issue = parsed.error.issues[0];
  const field = issue?.path.length ? issue.path.join('.') : 'the body';
  throw new ClientError('invalidEvent', `${type}: ${field} ${issue?.message ?? 'is not acceptable'}`);
}
