import { readEvent } from './check-event.ts';
import { type EventType, uinFields } from './event.ts';

// As long as a UIN may be that somebody is asked about.
const mostLength = 256;

/** Whom an event tells of, each once, as its body names them: those of a UIN that is not known are left out. */
export function uinsOfEvent(type: EventType, body: string): string[] {
  const event = Object(readEvent(body)) as Readonly<Record<string, unknown>>;
  const named = uinFields(type).flatMap((field) => event[field]);
  const uins = named.filter((uin) => typeof uin === 'string' && uin !== '') as string[];
  return [...new Set(uins.map((uin) => uin.slice(0, mostLength).toWellFormed()))];
}
