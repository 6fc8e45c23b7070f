import * as z from 'zod/mini';
import { changeKinds } from '../../model/imports/change.ts';
import { storedTopic } from '../../model/topics/topic.ts';
import { importFile } from './import-payload.ts';

const count = z.int();

/** What became of the lines of an import; blank ones are none. */
export const importCounts = z.object({
  /** Those that were read. */
  lines: count,
  applied: z.object(
    Object.fromEntries(changeKinds.map((kind) => [kind, count])) as Record<(typeof changeKinds)[number], typeof count>,
  ),
  /** Whose `id` was applied before. */
  repeated: count,
  refused: count,
});
export type ImportCounts = z.infer<typeof importCounts>;

export const noCounts: ImportCounts = {
  lines: 0,
  applied: { register: 0, update: 0, merge: 0, remove: 0 },
  repeated: 0,
  refused: 0,
};

/** The id of an import's row, among persons. */
export const importRowId = (sha256: string): string => `import#${sha256}`;

/** How far an import has come. Times are epoch milliseconds. */
export const importProgress = z.object({
  /** Where the next line begins: the byte, and the number, from 1. */
  offset: z.int(),
  number: z.int(),
  counts: importCounts,
  /** Of how many parts the list of refused lines is by now. */
  parts: z.int(),
  /** When it came so far. */
  movedAt: z.int(),
});
export type ImportProgress = z.infer<typeof importProgress>;

/** An import: a file by its content, whatever it is called. */
export const importState = z.object({
  sha256: z.string(),
  /** Tells it from an import of the same bytes in other days. */
  importId: z.string(),
  file: importFile,
  begunAt: z.int(),
  /** The topic of changes as it was then: a line that comes again finds what it found first. */
  topic: z.optional(storedTopic),
  ...importProgress.shape,
  /** When it ended; missing while it goes on. */
  endedAt: z.optional(z.int()),
  /** Why the file could not be read to its end. */
  unreadable: z.optional(z.string()),
});
export type ImportState = z.infer<typeof importState>;
