import * as z from 'zod/mini';
import { errorObject } from '../error.ts';
import { lineOfText } from '../text.ts';

export type AttributeKind = 'text' | 'date' | 'gender';

export interface AttributeDefinition {
  readonly kind: AttributeKind;
  readonly description: string;
  readonly example: AttributeValue;
}

/** The attributes of OSIA data access 1.0, in the order of the specification. */
export const standardAttributes = {
  uin: { kind: 'text', description: 'Unique Identity Number.', example: '194837260511' },
  firstName: { kind: 'text', description: 'First name.', example: 'Inés' },
  lastName: { kind: 'text', description: 'Last name.', example: 'García Müller' },
  spouseName: { kind: 'text', description: 'Name of the spouse.', example: 'Okafor' },
  dateOfBirth: { kind: 'date', description: 'Date of birth.', example: '2024-02-29' },
  placeOfBirth: { kind: 'text', description: 'Place of birth.', example: 'Málaga' },
  gender: {
    kind: 'gender',
    description: 'Gender code (ISO 5218): 0 not known, 1 male, 2 female, 9 not applicable.',
    example: 2,
  },
  dateOfDeath: { kind: 'date', description: 'Date of death.', example: '2025-11-20' },
  placeOfDeath: { kind: 'text', description: 'Place of death.', example: 'Sevilla' },
  reasonOfDeath: { kind: 'text', description: 'Reason of death.', example: 'illness' },
  status: {
    kind: 'text',
    description: 'Status of the person, such as missing, wanted or dead.',
    example: 'missing',
  },
} as const satisfies Record<string, AttributeDefinition>;

export type AttributeValue = string | number;
export const storedAttributes = z.record(z.string(), z.union([z.string(), z.number()]));
export type Attributes = Readonly<z.infer<typeof storedAttributes>>;

/**
 * Returns the kind of an attribute; undefined if the registry lacks the attribute.
 * @param extraAttributes the deployment's own attributes, which all contain text
 */
export function kindOf(name: string, extraAttributes: readonly string[]): AttributeKind | undefined {
  if (Object.hasOwn(standardAttributes, name)) return standardAttributes[name as keyof typeof standardAttributes].kind;
  return extraAttributes.includes(name) ? 'text' : undefined;
}

/** Returns whether the text is a calendar date in the form YYYY-MM-DD (ISO 8601). */
export const isCalendarDate = (text: string): boolean => z.regexes.date.test(text);

const genders = [0, 1, 2, 9] as const;

/** The schema of each kind. In Error objects, the name of the attribute precedes the message of the schema. */
export const attributeSchemas = {
  text: lineOfText,
  date: z
    .string({ error: 'must be a date string in the form YYYY-MM-DD, such as 2024-02-29' })
    .check(z.refine(isCalendarDate, { error: 'must be a calendar date in the form YYYY-MM-DD, such as 2024-02-29' })),
  gender: z.literal(genders, {
    error: 'must be the number 0, 1, 2 or 9 (ISO 5218: not known, male, female, not applicable)',
  }),
} as const satisfies Record<AttributeKind, z.ZodMiniType<AttributeValue, AttributeValue>>;

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const attributeResult = z.union([z.string(), z.number(), errorObject]);
/** The value of an attribute, or an Error object in place of the value. */
export type AttributeResult = z.infer<typeof attributeResult>;

/** The requested attributes by name. A record schema would lose some names (see `attributeMap`). */
export const attributeResults = z.custom<Readonly<Record<string, AttributeResult>>>(
  (value) => isMap(value) && Object.values(value as object).every((one) => attributeResult.safeParse(one).success),
);

/** A person found by a search: the UIN or, if the request names attributes, these attributes. */
export const foundPerson = z.union([z.string(), attributeResults]);

/**
 * A JSON object that maps attribute names to values. The values are checked later. A record schema would silently drop
 * the name `__proto__`.
 */
export const attributeMap = z.custom<Readonly<Record<string, unknown>>>(isMap, {
  error: ({ input }) =>
    `must be a JSON object of attribute names and values, such as {"firstName":"Ada"}${Array.isArray(input) ? ', not a list' : ''}`,
});
