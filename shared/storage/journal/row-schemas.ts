import * as z from 'zod/mini';
import { journalRow } from '../../model/journal/journal-row.ts';

/** A row of the journal with its place among those of its hour. */
export const exportedRow = z.extend(journalRow, { moment: z.string() });
export type ExportedRow = z.infer<typeof exportedRow>;
