import { importLimits, lineWeight, writeCost } from '../../domain/imports/import-limits.ts';
import { type Change, type ChangeRules, type LineRejection, parseChange } from '../../domain/imports/parse-change.ts';
import { type Columns, readCsvLine, readJsonLine, textOf } from '../../domain/imports/read-line.ts';
import type { FileLine, Place } from '../../domain/imports/split-lines.ts';

export type ChunkLine = { readonly line: number } & (
  | { readonly change: Change }
  | { readonly rejected: LineRejection }
);

export interface Chunk {
  readonly lines: readonly ChunkLine[];
  readonly next: Place;
  readonly writes: number;
}

/** The format of a file's lines. Only CSV files have `columns`. */
interface Reading {
  readonly columns: Columns | undefined;
  readonly rules: ChangeRules;
}

/** Thrown if the end of a CSV record is ambiguous: the lines after the record may belong to it. */
export class EndlessRecord extends Error {
  override readonly name = 'EndlessRecord';
  readonly line: number;
  constructor(line: number) {
    super();
    this.line = line;
  }
}

function readLine({ bytes, through }: FileLine, { columns, rules }: Reading) {
  const refuse = (reason: string) => ({ rejected: { field: 'line', reason } });
  if (through !== undefined) {
    return refuse(
      `must not contain a line break in a value: the record ends in line ${through}, and none of it was applied`,
    );
  }
  if (bytes === undefined) return refuse(`must be at most ${importLimits.lineBytes} bytes long`);
  const text = textOf(bytes);
  if (text === undefined) return refuse('must be in UTF-8');
  if (text.trim() === '') return undefined;
  const read = columns === undefined ? readJsonLine(text) : readCsvLine(text, columns);
  return 'rejected' in read ? read : parseChange(read.value, rules);
}

/**
 * Reads the next lines of a file and skips blank lines.
 * @param maxWrites the maximum number of writes; a single change may exceed this number
 * @returns undefined at the end of the file
 * @throws EndlessRecord if the next record is ambiguous
 */
export async function readChunk(
  lines: AsyncIterator<FileLine>,
  reading: Reading,
  maxWrites: number,
): Promise<Chunk | undefined> {
  const read: ChunkLine[] = [];
  let next: Place | undefined;
  let [bytes, writes, weight] = [0, 0, 0];
  while (weight < importLimits.chunkLines && bytes < importLimits.chunkBytes && writes < maxWrites) {
    const { value, done } = await lines.next();
    if (done) break;
    if (value.isEndless && next === undefined) throw new EndlessRecord(value.number);
    if (value.isEndless) break;
    next = value.next;
    bytes += next.offset - value.offset;
    const line = readLine(value, reading);
    if (line === undefined) continue;
    read.push({ line: value.number, ...line });
    if ('change' in line) writes += writeCost(line.change);
    weight += 'change' in line ? lineWeight(line.change) : 1;
  }
  return next && { lines: read, next, writes };
}
