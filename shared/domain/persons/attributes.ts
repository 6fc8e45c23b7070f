import * as z from 'zod/mini';
import { errorObject } from '../error.ts';
import { lineOfText } from '../text.ts';

export type AttributeKind = 'text' | 'date' | 'gender';

/** The attributes of OSIA data access 1.0, in its order. */
export const attributeKinds = {
  uin: 'text',
  firstName: 'text',
  lastName: 'text',
  spouseName: 'text',
  dateOfBirth: 'date',
  placeOfBirth: 'text',
  gender: 'gender',
  dateOfDeath: 'date',
  placeOfDeath: 'text',
  reasonOfDeath: 'text',
  status: 'text',
} as const satisfies Record<string, AttributeKind>;

export type AttributeValue = string | number;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * The kind of an attribute, or undefined when the registry does not have it.
 * @param extraAttributes text attributes that the deployment declares beyond OSIA's eleven
 */
export function kindOf(name: string, extraAttributes: readonly string[]): AttributeKind | undefined {
  if (Object.hasOwn(attributeKinds, name)) return attributeKinds[name as keyof typeof attributeKinds];
  return extraAttributes.includes(name) ? 'text' : undefined;
}

/** True for a date of the real calendar written YYYY-MM-DD (ISO 8601). */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const genders = [0, 1, 2, 9] as const;

/** How a value of each kind is read; the messages follow the attribute's name in an Error object. */
export const attributeSchemas = {
  text: lineOfText,
  date: z
    .string({ error: 'must be a date as text, written YYYY-MM-DD, such as 2024-02-29' })
    .check(
      z.refine(isCalendarDate, { error: 'must be a date of the calendar written YYYY-MM-DD, such as 2024-02-29' }),
    ),
  gender: z.literal(genders, {
    error: 'must be the number 0, 1, 2 or 9 (ISO 5218: not known, male, female, not applicable)',
  }),
} as const satisfies Record<AttributeKind, z.ZodMiniType<AttributeValue, AttributeValue>>;

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const attributeAnswer = z.union([z.string(), z.number(), errorObject]);
/** A value of a person, or the Error object in its place. */
export type AttributeAnswer = z.infer<typeof attributeAnswer>;

/** What of a person is answered, by the names that were asked for: any text, so it is no record (see `attributeMap`). */
export const attributeAnswers = z.custom<Readonly<Record<string, AttributeAnswer>>>(
  (value) => isMap(value) && Object.values(value as object).every((one) => attributeAnswer.safeParse(one).success),
);

/**
 * A body that maps attribute names to values, as it came: names and values are checked by `parseAttributes`. A record would
 * leave the name `__proto__` out without a word.
 */
export const attributeMap = z.custom<Readonly<Record<string, unknown>>>(isMap, {
  error: ({ input }) =>
    `must be a JSON object of attribute names and values, such as {"firstName":"Ada"}${Array.isArray(input) ? ', not a list' : ''}`,
});
