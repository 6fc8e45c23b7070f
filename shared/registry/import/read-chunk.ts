import { importLimits } from '../../domain/imports/import-limits.ts';
import { type Change, type ChangeRules, parseChange } from '../../domain/imports/parse-change.ts';
import { type Columns, readCsvLine, readJsonLine, textOf } from '../../domain/imports/read-line.ts';
import type { FileLine, Place } from '../../domain/imports/split-lines.ts';
import { lineWeight, writeCost } from '../../domain/imports/write-cost.ts';
import type { LineRefusal } from '../../model/imports/change.ts';

/** A line that was read, by its number. */
export type ChunkLine = { readonly line: number } & ({ readonly change: Change } | { readonly refused: LineRefusal });

/** Lines after which the cursor is written. */
export interface Chunk {
  readonly lines: readonly ChunkLine[];
  readonly next: Place;
  /** How many writes its changes take. */
  readonly writes: number;
}

/** How the lines of a file are read; `columns` of CSV. */
interface Reading {
  readonly columns: Columns | undefined;
  readonly rules: ChangeRules;
}

/** A record of CSV has no end that can be told: what follows it may be within it. */
export class EndlessRecord extends Error {
  override readonly name = 'EndlessRecord';
  readonly line: number;
  constructor(line: number) {
    super();
    this.line = line;
  }
}

function readLine({ bytes, through }: FileLine, { columns, rules }: Reading) {
  const refuse = (reason: string) => ({ refused: { field: 'line', reason } });
  if (through !== undefined) {
    return refuse(
      `must have no end of line in a value: this one goes on through line ${through}, and all of it is left out`,
    );
  }
  if (bytes === undefined) return refuse(`must be at most ${importLimits.lineBytes} bytes long`);
  const text = textOf(bytes);
  if (text === undefined) return refuse('must be in UTF-8');
  if (text.trim() === '') return undefined;
  const read = columns === undefined ? readJsonLine(text) : readCsvLine(text, columns);
  return 'refused' in read ? read : parseChange(read.value, rules);
}

/**
 * The next lines of a file, blank ones left out.
 * @param mostWrites that the changes take together, unless one alone takes more
 * @returns undefined at its end
 * @throws EndlessRecord where that is the next
 */
export async function readChunk(
  lines: AsyncIterator<FileLine>,
  reading: Reading,
  mostWrites: number,
): Promise<Chunk | undefined> {
  const read: ChunkLine[] = [];
  let next: Place | undefined;
  let [bytes, writes, weight] = [0, 0, 0];
  while (weight < importLimits.chunkLines && bytes < importLimits.chunkBytes && writes < mostWrites) {
    const { value, done } = await lines.next();
    if (done) break;
    // What is before it is applied first.
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
