import * as z from 'zod/mini';
import { type LateRejection, lateRejections } from '../../domain/imports/decide-change.ts';
import { eventTypes } from '../../domain/topics/event.ts';

const attributeRecord = z.record(z.string(), z.union([z.string(), z.number()]));
export const storedPerson = z.object({ uin: z.string(), attributes: attributeRecord });
export const foldedRow = z.object({ folded: attributeRecord });
/** The record of a repeatable request: the same request returns the same UIN. */
export const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });

const lastChange = z.object({
  importId: z.string(),
  line: z.int(),
  event: z.optional(z.enum(eventTypes)),
  unchanged: z.record(z.string(), z.enum(['repeated', ...(Object.keys(lateRejections) as LateRejection[])])),
});
export const personStateRow = z.object({
  attributes: z.optional(attributeRecord),
  lastChange: z.optional(lastChange),
  expiresAt: z.optional(z.int()),
});
/**
 * The tombstone of a deleted person: the UIN of the kept person after a merge, null after a removal. Rows of older
 * releases contain neither.
 */
export const tombstoneRow = z.object({ expiresAt: z.int(), mergedInto: z.optional(z.nullable(z.string())) });
export const markRow = z.object({ importId: z.string(), line: z.int(), uin: z.string() });
