import * as z from 'zod/mini';
import { storedAttributes } from '../../domain/persons/attributes.ts';

export const storedPerson = z.object({ uin: z.string(), attributes: storedAttributes });
export const foldedRow = z.object({ folded: storedAttributes });
/** The record of a registration request that may be repeated. A repeated request returns the recorded UIN. */
export const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });
/** The row of a UIN: a person, a person who was merged into another (`keptUin`), or a removed person. */
export const formerRow = z.object({ keptUin: z.optional(z.string()), formerUins: z.optional(z.array(z.string())) });
