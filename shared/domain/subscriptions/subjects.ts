import * as z from 'zod/mini';
import { lineOfText } from '../text.ts';
import { eventTypes, nearEventType } from '../topics/event.ts';

const mostSubjects = 20;
// Fan-out reads the filter of every subscription of a topic: one must not make it slow for the others.
const mostCharacters = 1000;

const nearOf = (name: unknown): string | undefined => (typeof name === 'string' ? nearEventType(name) : undefined);

const types: readonly string[] = eventTypes;
const isListOfTypes = (text: string): boolean =>
  text.includes(',') && text.split(',').every((part) => types.includes(part.trim()));

// Nobody publishes what is nearly an event type: its subscriber would wait in vain.
const name = lineOfText.check(
  z.refine((text) => nearOf(text) === undefined, {
    error: ({ input }) => `is not an event type, but nearly one: did you mean ${nearOf(input)}?`,
  }),
  z.refine((text) => !isListOfTypes(text), { error: 'must be one name: give each event type by itself' }),
);

const names = z.array(name, { error: 'must be a list of names of events' }).check(
  z.refine((given) => given.length <= mostSubjects, { error: `must be at most ${mostSubjects}` }),
  z.refine((given) => given.join('').length <= mostCharacters, {
    error: `must be at most ${mostCharacters} characters together`,
  }),
);

// Each once, in one order, so that two filters that mean the same are the same.
const inOrder = z.transform((given: string[]): readonly string[] => [...new Set(given)].toSorted());

/**
 * A filter: names of events, by their type or the publisher's subject; at most 20 of them, and 1,000 characters together.
 * Without a filter all events are wanted.
 */
export const subjectNames = z.pipe(
  names.check(z.minLength(1, { error: 'must name at least one; null removes the filter' })),
  inOrder,
);

/** A filter as a repeatable query parameter: an empty one is not given. */
export const subjectParameters = z.pipe(
  z.pipe(
    z.array(z.string()),
    z.transform((given: string[]) => given.filter((one) => one !== '')),
  ),
  z.pipe(names, inOrder),
);
