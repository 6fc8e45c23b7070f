import * as z from 'zod/mini';
import { type LateRejection, lateRejections } from '../../domain/imports/decide-change.ts';
import { eventTypes } from '../../domain/topics/event.ts';

const attributeRecord = z.record(z.string(), z.union([z.string(), z.number()]));
export const storedPerson = z.object({ uin: z.string(), attributes: attributeRecord });
export const foldedRow = z.object({ folded: attributeRecord });
/** The record of a repeatable request. A repeated request returns the recorded UIN. */
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
 * A deleted person's tombstone. `mergedInto` is the kept person's UIN after a merge and null after a removal; rows of
 * older releases do not have it.
 */
export const tombstoneRow = z.object({ expiresAt: z.int(), mergedInto: z.optional(z.nullable(z.string())) });
export const markRow = z.object({ importId: z.string(), line: z.int(), uin: z.string() });
