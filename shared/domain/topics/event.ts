import * as z from 'zod/mini';
import { memoized } from '../memoized.ts';
import { missingOr } from '../missing.ts';
import { wellFormed } from '../text.ts';

const uinText = z.string({ error: missingOr('must be a UIN string') }).check(wellFormed);
const requiredUin = uinText.check(z.minLength(1, { error: 'must not be empty' }));
// The number of duplicates is limited, because each UIN gets a row in the journal.
const maxDuplicates = 1000;
const duplicateUins = z.array(requiredUin, { error: missingOr('must be an array of UIN strings') }).check(
  z.minLength(1, { error: 'must name at least one UIN' }),
  z.maxLength(maxDuplicates, {
    error: `must contain at most ${maxDuplicates} UINs: publish further events for the rest`,
  }),
);

const each = <Name extends string, Schema>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Readonly<Record<Name, Schema>>;

const required = <Name extends string>(...names: Name[]) => each(names, requiredUin);
// Some clients send "" or null for an unknown parent. Both mean "missing".
const optional = <Name extends string>(...names: Name[]) => each(names, z.nullish(uinText));

const fields = {
  liveBirth: { ...required('uin'), ...optional('uin1', 'uin2') },
  death: required('uin'),
  birthCancellation: required('uin'),
  foetalDeath: required('uin'),
  marriage: required('uin1', 'uin2'),
  divorce: required('uin1', 'uin2'),
  annulment: required('uin1', 'uin2'),
  separation: required('uin1', 'uin2'),
  adoption: { ...required('uin', 'uin1'), ...optional('uin2') },
  legitimation: { ...required('uin', 'uin1'), ...optional('uin2') },
  recognition: { ...required('uin', 'uin1'), ...optional('uin2') },
  changeOfName: required('uin'),
  changeOfGender: required('uin'),
  updatePerson: required('uin'),
  newPerson: required('uin'),
  duplicatePerson: { ...required('uin'), duplicates: duplicateUins },
};

export type EventType = keyof typeof fields;
export type EventField<T extends EventType> = keyof (typeof fields)[T];
export const eventTypes = Object.keys(fields) as EventType[];

export const uinFields = (type: EventType): readonly string[] => Object.keys(fields[type]);

export const isEventType = (text: string | undefined): text is EventType =>
  text !== undefined && Object.hasOwn(fields, text);

function differsByOneLetter(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const rests = [
    [same + 1, same + 1],
    [same + 1, same],
    [same, same + 1],
  ] as const;
  return rests.some(([ofOne, ofOther]) => one.slice(ofOne) === other.slice(ofOther));
}

/**
 * Returns the event type that differs from the subject only in case or by one letter, or undefined if there is none.
 */
export const nearEventType = (subject: string): EventType | undefined =>
  isEventType(subject)
    ? undefined
    : eventTypes.find((type) => differsByOneLetter(type.toLowerCase(), subject.toLowerCase()));

const source = z
  .string({ error: missingOr('must be a string that identifies the source system') })
  .check(z.minLength(1, { error: 'must not be empty' }));

/**
 * Returns the schema of an event's body (OSIA notification 1.2.0). Extra keys are allowed, because some clients send
 * them. A schema is created on first use, because its creation takes longer than parsing an event.
 */
export const eventSchema = memoized((type: EventType) =>
  z.looseObject({ source, ...fields[type] }, { error: 'must be a JSON object' }),
);
