import * as z from 'zod/mini';
import { journalRow } from '../../domain/journal/journal-row.ts';

export const exportedRow = z.extend(journalRow, { moment: z.string() });
export type ExportedRow = z.infer<typeof exportedRow>;
