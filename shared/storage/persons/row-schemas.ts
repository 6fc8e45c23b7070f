import * as z from 'zod/mini';
import { type LateRejection, lateRejections } from '../../domain/imports/decide-change.ts';
import { eventTypes } from '../../domain/topics/event.ts';

const attributeRecord = z.record(z.string(), z.union([z.string(), z.number()]));
export const storedPerson = z.object({ uin: z.string(), attributes: attributeRecord });
export const foldedRow = z.object({ folded: attributeRecord });
/** The record of a registration request that may be repeated. A repeated request returns the recorded UIN. */
export const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });

const uins = z.array(z.string());
const lastChange = z.object({
  importId: z.string(),
  line: z.int(),
  event: z.optional(z.enum(eventTypes)),
  unchanged: z.record(z.string(), z.enum(['repeated', ...(Object.keys(lateRejections) as LateRejection[])])),
});
export const personStateRow = z.object({
  attributes: z.optional(attributeRecord),
  lastChange: z.optional(lastChange),
  formerUins: z.optional(uins),
});
/** The row of a UIN: a person, a person who was merged into another (`keptUin`), or a removed person. */
export const formerRow = z.object({ keptUin: z.optional(z.string()), formerUins: z.optional(uins) });
export const markRow = z.object({ importId: z.string(), line: z.int(), uin: z.string() });
