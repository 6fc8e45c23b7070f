import { Refusal } from '../../model/refusals.ts';
import { type EventType, eventSchema, isEventType, nearEventType } from './event.ts';
import { isDeeperThan } from './json-depth.ts';

// Deeper than any event is, and far from what the parsers of receivers take: many recurse.
const deepest = 100;

// Byte order marks are white space here. Lenient parsers take more than ours does, and also recurse.
const beginsLikeJson = /^\s*[[{]/;

// RFC 8259 section 8.1 lets a reader pass over a byte order mark. Receivers may not: it stays text to them.
const withoutMark = (body: string): string => (body.startsWith('\ufeff') ? body.slice(1) : body);

/** The body of an event as it was checked; undefined where it is no JSON. */
export const readEvent = (body: string): unknown => parseJson(withoutMark(body));

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** True when the text is one JSON value: it is then delivered as `application/json`, else as `text/plain`. */
export const isJson = (body: string): boolean => parseJson(body) !== undefined;

/** Which of OSIA's 16 event types an event has: its subject, or else its topic's name, is one; undefined where neither is. */
export function eventTypeOf(subject: string | undefined, topicName: string): EventType | undefined {
  const type = isEventType(subject) ? subject : topicName;
  return isEventType(type) ? type : undefined;
}

/**
 * Checks a publication where its subject, or else its topic's name, is one of OSIA's 16 event types.
 * Any other body passes, but for what begins like JSON and is nested deeper than 100 levels. A subject that is nearly one
 * of the 16 is refused, since its event would pass unchecked, and to no receiver that goes by the type.
 * @throws Refusal `malformedJson` for the depth, `invalidEvent` naming the field, `invalidParameter` naming the near type
 */
export function checkEvent(subject: string | undefined, topicName: string, body: string): void {
  if (beginsLikeJson.test(body) && isDeeperThan(deepest, body))
    throw new Refusal(
      'malformedJson',
      `the body must not be nested deeper than ${deepest} levels where it begins like JSON`,
    );
  const near = subject === undefined ? undefined : nearEventType(subject);
  if (near !== undefined)
    throw new Refusal('invalidParameter', `subject is not an event type, but nearly one: did you mean ${near}?`);
  const type = eventTypeOf(subject, topicName);
  if (type === undefined) return;
  const parsed = eventSchema(type).safeParse(readEvent(body));
  if (parsed.success) return;
  const issue = parsed.error.issues[0];
  const field = issue?.path.length ? issue.path.join('.') : 'the body';
  throw new Refusal('invalidEvent', `${type}: ${field} ${issue?.message ?? 'is not acceptable'}`);
}
