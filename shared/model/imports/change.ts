import * as z from 'zod/mini';
import { attributeMap } from '../../domain/persons/attributes.ts';
import { lineOfText } from '../../domain/text.ts';

const mostDuplicates = 20;

const everywhere = {
  /** By it a change is known that comes again, in whichever file. */
  id: z.optional(lineOfText),
  /** Whether subscribers are told. */
  publish: z._default(z.boolean({ error: 'must be true or false' }), false),
  /** Who tells them: `source` of the event. */
  source: z._default(lineOfText, 'import'),
};

const duplicates = z.array(lineOfText, { error: 'must be a list of UINs, as text' }).check(
  z.minLength(1, { error: 'must name at least one UIN' }),
  z.maxLength(mostDuplicates, { error: `must name at most ${mostDuplicates} UINs` }),
  z.refine((uins) => new Set(uins).size === uins.length, { error: 'must not name a UIN twice' }),
);

/** The fields of a line of an import, by its `change`; attributes as they came. */
export const changeSchemas = {
  /** A new person, under the UIN that is given, or under one that is minted. */
  register: z.strictObject({
    ...{ change: z.literal('register'), uin: z.optional(lineOfText), attributes: attributeMap },
    ...everywhere,
  }),
  /** Attributes of a person that are others now; null for one that the person has no more. */
  update: z.strictObject({
    ...{ change: z.literal('update'), uin: lineOfText, attributes: attributeMap },
    ...everywhere,
  }),
  /** Persons who are one: nobody has the UINs of the duplicates from now on. */
  merge: z.strictObject({ change: z.literal('merge'), keep: lineOfText, duplicates, ...everywhere }),
  /** Nobody has this UIN from now on. */
  remove: z.strictObject({ change: z.literal('remove'), uin: lineOfText, ...everywhere }),
} as const;

export type ChangeKind = keyof typeof changeSchemas;
export const changeKinds = Object.keys(changeSchemas) as ChangeKind[];

/** The fields of a line, of whichever kind of change: columns of a CSV file that are no attributes. */
export const changeFields: readonly string[] = [
  ...new Set(changeKinds.flatMap((kind) => Object.keys(changeSchemas[kind].shape))),
];

/** Why a line was not applied: never with a value, or a name that was given in place of one. */
export interface LineRefusal {
  readonly field: string;
  readonly reason: string;
}
