import * as z from 'zod/mini';

const attributeRecord = z.record(z.string(), z.union([z.string(), z.number()]));
/** A person, under the UIN. */
export const storedPerson = z.object({ uin: z.string(), attributes: attributeRecord });
/** The same as it is searched. */
export const foldedRow = z.object({ folded: attributeRecord });
/** The record of a mint under a key: it answers the same UIN again. */
export const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });
