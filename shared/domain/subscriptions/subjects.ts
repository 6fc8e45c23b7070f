import * as z from 'zod/mini';
import { lineOfText } from '../text.ts';
import { eventTypes, nearEventType } from '../topics/event.ts';

const maxSubjects = 20;
// Fan-out reads the filters of all subscriptions of a topic, so filters must stay small.
const maxCharacters = 1000;

const nearOf = (name: unknown): string | undefined => (typeof name === 'string' ? nearEventType(name) : undefined);

const types: readonly string[] = eventTypes;
const isListOfTypes = (text: string): boolean =>
  text.includes(',') && text.split(',').every((part) => types.includes(part.trim()));

// Publishers cannot use a subject that is close to an event type, so a filter with that subject would never match.
const name = lineOfText.check(
  z.refine((text) => nearOf(text) === undefined, {
    error: ({ input }) => `is close to an event type: did you mean ${nearOf(input)}?`,
  }),
  z.refine((text) => !isListOfTypes(text), { error: 'must be one name: repeat the parameter for each event type' }),
);

const names = z.array(name, { error: 'must be a list of event types or subjects' }).check(
  z.refine((given) => given.length <= maxSubjects, { error: `must have at most ${maxSubjects} entries` }),
  z.refine((given) => given.join('').length <= maxCharacters, {
    error: `must have at most ${maxCharacters} characters in total`,
  }),
);

// Filters are sorted and have no duplicates, so that equal filters compare as equal.
const inOrder = z.transform((given: string[]): readonly string[] => [...new Set(given)].toSorted());

/** A filter of at most 20 event types or subjects, with at most 1,000 characters in total. */
export const subjectNames = z.pipe(
  names.check(z.minLength(1, { error: 'must have at least one entry; null removes the filter' })),
  inOrder,
);

/** A filter in a repeatable query parameter. Empty values are ignored. */
export const subjectParameters = z.pipe(
  z.pipe(
    z.array(z.string()),
    z.transform((given: string[]) => given.filter((one) => one !== '')),
  ),
  z.pipe(names, inOrder),
);
