import { dayMs } from '../../domain/day-ms.ts';
import { isoTime } from '../../domain/iso-time.ts';
import { callerText, journalKeys } from '../../domain/journal/journal-keys.ts';
import type { JournalEntry } from '../../model/journal/journal-row.ts';
import { type Item, toItem } from '../dynamo.ts';

/** The rows of an entry as DynamoDB holds them: the same ones for each try of their writing, but late ones. */
export const itemsOf = ({ id, rows, at, lateAt = at, days }: JournalEntry): Item[] =>
  rows.map((given, ordinal) => {
    const row = { ...given, at: isoTime(at), caller: callerText(given.caller) };
    return toItem({
      ...row,
      ...journalKeys(row, id, ordinal, isoTime(lateAt)),
      expiresAt: Math.floor((at + days * dayMs) / 1000),
    });
  });
