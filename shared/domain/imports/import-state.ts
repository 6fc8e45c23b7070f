import * as z from 'zod/mini';
import { storedTopic } from '../topics/topic.ts';
import { importFile } from './import-payload.ts';
import { changeKinds } from './parse-change.ts';

const count = z.int();

const importCounts = z.object({
  lines: count,
  applied: z.object(
    Object.fromEntries(changeKinds.map((kind) => [kind, count])) as Record<(typeof changeKinds)[number], typeof count>,
  ),
  /** Lines whose `id` belongs to a change that was already applied. */
  repeated: count,
  rejected: count,
});
export type ImportCounts = z.infer<typeof importCounts>;

export const noCounts: ImportCounts = {
  lines: 0,
  applied: { register: 0, update: 0, merge: 0, remove: 0 },
  repeated: 0,
  rejected: 0,
};

export const importRowId = (sha256: string): string => `import#${sha256}`;

/** The byte offset and the line number (from 1) of the next line. */
const place = z.object({ offset: z.int(), number: z.int() });
export type Place = Readonly<z.infer<typeof place>>;

/** The progress of an import. Times are epoch milliseconds. */
const importProgress = z.object({
  ...place.shape,
  counts: importCounts,
  parts: z.int(),
  movedAt: z.int(),
  /** The number of times that the progress was stored. */
  step: z._default(z.int(), 0),
  /** The time when the check of all lines ended. The time is missing during the check, before any line is applied. */
  checkedAt: z.optional(z.int()),
});
export type ImportProgress = z.infer<typeof importProgress>;

export const importState = z.object({
  sha256: z.string(),
  /** The id distinguishes two imports of the same bytes after the record of the first import has expired. */
  importId: z.string(),
  file: importFile,
  begunAt: z.int(),
  /** The topic at the start of the import. It is stored so that repeated lines use the same topic. */
  topic: z.optional(storedTopic),
  ...importProgress.shape,
  /** The end time is missing while the import is running. */
  endedAt: z.optional(z.int()),
  unreadable: z.optional(z.string()),
});
export type ImportState = z.infer<typeof importState>;
