import { pipeline, Readable } from 'node:stream';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import { readFileName } from '../../domain/imports/file-name.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import {
  type Columns,
  type ReadLine,
  readColumns,
  readCsvRow,
  readJsonLine,
  rejectLine,
  textOf,
} from '../../domain/imports/read-line.ts';
import { type FileLine, lineSplitter, type Place } from '../../domain/imports/split-lines.ts';

/** A line of NDJSON, or a row of CSV, which can span several lines. */
export interface FileRecord {
  /** The number of the first line. */
  readonly line: number;
  /** Undefined if the line is blank. */
  readonly read: ReadLine | undefined;
  readonly next: Place;
}

type ReadAt = (file: ImportFile, offset: number, bytes: number) => Promise<Uint8Array | undefined>;

/** Thrown if the file was deleted or replaced during the import. */
export class FileMissing extends Error {
  override readonly name = 'FileGone';
}

/** Thrown if a CSV file has no clear end of a row, so that no later row can be read either. */
export class UnclearRow extends Error {
  override readonly name = 'UnclearRow';
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

async function* linesOf(file: ImportFile, from: Place, readAt: ReadAt): AsyncGenerator<FileLine> {
  const splitter = lineSplitter(from, importLimits.lineBytes);
  for await (const block of blocksOf(file, from.offset, readAt)) yield* splitter.push(block);
  yield* splitter.end();
}

const start: Place = { offset: 0, number: 1 };

// UTF-16 text, archives and spreadsheets contain zero bytes.
const isBinary = (bytes: Uint8Array): boolean => bytes.includes(0);

/**
 * Opens a file at a position.
 * @returns the records, or an error text if the file cannot be read
 * @throws FileMissing, also while the records are read
 * @throws UnclearRow while the records are read
 */
export async function openRecords(
  file: ImportFile,
  from: Place,
  readAt: ReadAt,
  extraAttributes: readonly string[],
): Promise<AsyncGenerator<FileRecord> | string> {
  const { isCsv } = readFileName(file.key);
  if (!isCsv && from.offset > 0) return jsonRecords(file, from, readAt);
  const { value: first } = await linesOf(file, start, readAt).next();
  const text = first?.bytes && !isBinary(first.bytes) ? textOf(first.bytes) : undefined;
  if (first?.bytes !== undefined && text === undefined) return 'the file must be UTF-8 text';
  if (!isCsv || first === undefined) return jsonRecords(file, from, readAt);
  const columns = readColumns(text ?? '', extraAttributes);
  if (typeof columns === 'string') return columns;
  return csvRecords(file, from.offset === 0 ? first.next : from, columns, readAt);
}

function readJsonBytes(bytes: Uint8Array | undefined): ReadLine | undefined {
  if (bytes === undefined) return rejectLine(`must be at most ${importLimits.lineBytes} bytes long`);
  const text = textOf(bytes);
  if (text === undefined) return rejectLine('must be in UTF-8');
  return text.trim() === '' ? undefined : readJsonLine(text);
}

async function* jsonRecords(file: ImportFile, from: Place, readAt: ReadAt): AsyncGenerator<FileRecord> {
  for await (const { number, bytes, next } of linesOf(file, from, readAt)) {
    yield { line: number, read: readJsonBytes(bytes), next };
  }
}

interface Row extends Omit<FileRecord, 'read'> {
  readonly cells: readonly string[];
}

const causeOf = ({ code }: CsvError): string =>
  code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED'
    ? `does not end within ${importLimits.lineBytes} bytes: a quotation mark may be missing`
    : 'has a quotation mark in the wrong place: quote the whole value, and double each quotation mark in the value';

async function* csvRecords(
  file: ImportFile,
  from: Place,
  { delimiter, names }: Columns,
  readAt: ReadAt,
): AsyncGenerator<FileRecord> {
  const { change } = readFileName(file.key);
  let next = from;
  let emptyLines = 0;
  const rowOf = (cells: string[], info: InfoRecord): Row => {
    const line = next.number + info.empty_lines - emptyLines;
    emptyLines = info.empty_lines;
    // The parser's own count of lines is wrong after a CRLF in a value.
    const lines = cells.join('').split('\n').length;
    next = { offset: from.offset + info.bytes, number: line + lines };
    return { line, cells, next };
  };
  const parser = parse({
    ...{ delimiter, record_delimiter: ['\r\n', '\n'], skip_empty_lines: true, relax_column_count: true },
    // The parser's types allow no other type of record than its own.
    ...{ max_record_size: importLimits.lineBytes, on_record: rowOf as never },
  });
  // The loop below throws the errors of the pipeline.
  pipeline(Readable.from(blocksOf(file, from.offset, readAt)), parser, () => {});
  try {
    for await (const { cells, ...place } of parser as AsyncIterable<Row>) {
      yield { ...place, read: readCsvRow(cells, names, change) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = next.number + Number(error.empty_lines) - emptyLines;
    throw new UnclearRow(`the row that begins in line ${line} ${causeOf(error)}`);
  }
}
