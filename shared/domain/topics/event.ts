import * as z from 'zod/mini';
import { named } from '../missing.ts';
import { wellFormed } from '../text.ts';

const uinText = z.string({ error: named('must be a UIN as text') }).check(wellFormed);
const requiredUin = uinText.check(z.minLength(1, { error: 'must not be empty' }));
// The journal has a row of each.
const mostDuplicates = 1000;
const duplicateUins = z.array(requiredUin, { error: named('must be an array of UINs as text') }).check(
  z.minLength(1, { error: 'must name at least one UIN' }),
  z.maxLength(mostDuplicates, {
    error: `must name at most ${mostDuplicates} UINs: publish the others as events of their own`,
  }),
);

const each = <Name extends string, Schema>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Readonly<Record<Name, Schema>>;

const required = <Name extends string>(...names: Name[]) => each(names, requiredUin);
// Real clients send "" or null for a parent who is not known: it is as good as missing.
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
/** What an event of the type says, beside its source. */
export type EventField<T extends EventType> = keyof (typeof fields)[T];
export const eventTypes = Object.keys(fields) as EventType[];

/** The fields of an event's body that name persons by their UINs. */
export const uinFields = (type: EventType): readonly string[] => Object.keys(fields[type]);

export const isEventType = (text: string | undefined): text is EventType =>
  text !== undefined && Object.hasOwn(fields, text);

function differInOneLetterAtMost(one: string, other: string): boolean {
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
 * The event type that a subject was probably meant to be: it is another in case, or by one letter more, less or other.
 * Undefined for the types themselves, and for what is near to none.
 */
export const nearEventType = (subject: string): EventType | undefined =>
  isEventType(subject)
    ? undefined
    : eventTypes.find((type) => differInOneLetterAtMost(type.toLowerCase(), subject.toLowerCase()));

const source = z
  .string({ error: named('must be text that identifies the emitting system') })
  .check(z.minLength(1, { error: 'must not be empty' }));

const schemaOf = (type: EventType) => z.looseObject({ source, ...fields[type] }, { error: 'must be a JSON object' });

const schemas = new Map<EventType, ReturnType<typeof schemaOf>>();

/**
 * The body of an event of this type, with the fields of OSIA notification 1.2.0; extra keys are allowed, because real
 * clients send them. Made when it is first asked for: to make one takes longer than to read an event by it.
 */
export function eventSchema(type: EventType): ReturnType<typeof schemaOf> {
  const made = schemas.get(type) ?? schemaOf(type);
  schemas.set(type, made);
  return made;
}
