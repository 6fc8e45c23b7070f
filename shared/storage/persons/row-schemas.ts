import * as z from 'zod/mini';
import { type LateRefusal, lateRefusals } from '../../domain/imports/late-refusals.ts';
import { eventTypes } from '../../domain/topics/event.ts';

const attributeRecord = z.record(z.string(), z.union([z.string(), z.number()]));
/** A person, under the UIN. */
export const storedPerson = z.object({ uin: z.string(), attributes: attributeRecord });
/** The same as it is searched. */
export const foldedRow = z.object({ folded: attributeRecord });
/** The record of a mint under a key: it answers the same UIN again. */
export const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });

const lastChange = z.object({
  importId: z.string(),
  line: z.int(),
  event: z.optional(z.enum(eventTypes)),
  unchanged: z.record(z.string(), z.enum(['repeated', ...(Object.keys(lateRefusals) as LateRefusal[])])),
});
/** A person as changes find it, or what is remembered of one who is gone. */
export const changeableRow = z.object({
  attributes: z.optional(attributeRecord),
  lastChange: z.optional(lastChange),
  expiresAt: z.optional(z.int()),
});
/** What is remembered of somebody who is gone: the UIN of whom they were merged with, null of who was removed. Rows of older releases do not say. */
export const goneRow = z.object({ expiresAt: z.int(), mergedInto: z.optional(z.nullable(z.string())) });
/** The mark that a change of an id has left. */
export const markRow = z.object({ importId: z.string(), line: z.int(), uin: z.string() });
