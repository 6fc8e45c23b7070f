import { recordsOf } from '../../domain/imports/csv-records.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import { type Columns, readColumns, textOf } from '../../domain/imports/read-line.ts';
import { type FileLine, lineSplitter, type Place } from '../../domain/imports/split-lines.ts';

interface Opened {
  readonly lines: AsyncGenerator<FileLine>;
  readonly columns: Columns | undefined;
}

const isCsv = ({ key }: ImportFile): boolean => key.endsWith('.csv');

// UTF-16 text, archives and spreadsheets contain zero bytes.
const isBinary = (bytes: Uint8Array): boolean => bytes.includes(0);

/**
 * Opens a file at a position.
 * @returns the lines, or an error text if the file cannot be read
 * @throws FileMissing
 */
export async function openLines(
  file: ImportFile,
  from: Place,
  readAt: ReadAt,
  extraAttributes: readonly string[],
): Promise<Opened | string> {
  if (!isCsv(file) && from.offset > 0) return { lines: linesOf(file, from, readAt), columns: undefined };
  const { value: first } = await linesOf(file, { offset: 0, number: 1 }, readAt).next();
  const text = first?.bytes && !isBinary(first.bytes) ? textOf(first.bytes) : undefined;
  if (first?.bytes !== undefined && text === undefined) return 'the file must be UTF-8 text';
  if (!isCsv(file)) return { lines: linesOf(file, from, readAt), columns: undefined };
  const columns = readColumns(text ?? '', extraAttributes);
  if (typeof columns === 'string' || first === undefined) return String(columns);
  const lines = linesOf(file, from.offset === 0 ? first.next : from, readAt);
  return { lines: recordsOf(lines, columns, importLimits.lineBytes), columns };
}

type ReadAt = (file: ImportFile, offset: number, bytes: number) => Promise<Uint8Array | undefined>;

/** Thrown if the file was deleted or replaced during the import. */
export class FileMissing extends Error {
  override readonly name = 'FileGone';
}

export async function* blocksOf(
  file: ImportFile,
  from: number,
  readAt: ReadAt,
  bytes: number = importLimits.blockBytes,
): AsyncGenerator<Uint8Array> {
  for (let offset = from; offset < file.bytes; ) {
    const block = await readAt(file, offset, bytes);
    if (block === undefined || block.length === 0) throw new FileMissing();
    yield block;
    offset += block.length;
  }
}

export async function* linesOf(file: ImportFile, from: Place, readAt: ReadAt): AsyncGenerator<FileLine> {
  const splitter = lineSplitter(from, importLimits.lineBytes);
  for await (const block of blocksOf(file, from.offset, readAt)) yield* splitter.push(block);
  yield* splitter.end();
}
