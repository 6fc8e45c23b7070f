import { importLimits, lineWeight, writeCost } from '../../domain/imports/import-limits.ts';
import type { Place } from '../../domain/imports/import-state.ts';
import { type ChangeRules, type LineRejection, parseChange } from '../../domain/imports/parse-change.ts';
import type { FileRecord } from './read-records.ts';

export type RejectedLine = LineRejection & { readonly line: number };

export type ChunkLine = { readonly line: number } & ReturnType<typeof parseChange>;

export interface Chunk {
  readonly lines: readonly ChunkLine[];
  readonly next: Place;
  readonly writes: number;
}

/** Returns undefined for a blank line. */
export function parseRecord({ line, read }: FileRecord, rules: ChangeRules): ChunkLine | undefined {
  if (read === undefined) return undefined;
  return { line, ...('rejected' in read ? read : parseChange(read.value, rules)) };
}

/**
 * Reads the next lines of a file and skips blank lines.
 * @param from the position of the first record
 * @param maxWrites the maximum number of writes; a single change may exceed this number
 * @returns undefined at the end of the file
 */
export async function readChunk(
  records: AsyncIterator<FileRecord>,
  from: Place,
  rules: ChangeRules,
  maxWrites: number,
): Promise<Chunk | undefined> {
  const lines: ChunkLine[] = [];
  let next = from;
  let [writes, weight] = [0, 0];
  const isFull = () =>
    weight >= importLimits.chunkLines || next.offset - from.offset >= importLimits.chunkBytes || writes >= maxWrites;
  while (!isFull()) {
    const { value, done } = await records.next();
    if (done) break;
    next = value.next;
    const line = parseRecord(value, rules);
    if (line === undefined) continue;
    lines.push(line);
    if ('change' in line) writes += writeCost(line.change);
    weight += 'change' in line ? lineWeight(line.change) : 1;
  }
  return next === from ? undefined : { lines, next, writes };
}
