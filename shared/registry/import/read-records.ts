import { pipeline, Readable } from 'node:stream';
import { CsvError, type InfoRecord, type Options, parse } from 'csv-parse';
import { readFileName } from '../../domain/imports/file-name.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import type { Place } from '../../domain/imports/import-state.ts';
import { type ReadLine, readColumns, readCsvRow, readJsonLine } from '../../domain/imports/read-line.ts';

/** A line of NDJSON or a row of CSV. A row can span several lines. */
interface Row {
  /** The line number at which the record begins. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly next: Place;
}

export interface FileRecord extends Omit<Row, 'cells'> {
  /** Undefined if the line is blank. */
  readonly read: ReadLine | undefined;
}

type ReadAt = (file: ImportFile, offset: number, bytes: number) => Promise<Uint8Array | undefined>;

/** Thrown if the rest of a file cannot be read. The import report contains the error's message. */
export class Unreadable extends Error {}

export class FileMissing extends Unreadable {
  constructor() {
    super('the file was deleted or replaced during the import');
  }
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

const causeOf = ({ code }: CsvError): string =>
  code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED'
    ? `does not end within ${importLimits.lineBytes} bytes: in CSV, a quotation mark may be missing`
    : 'has a quotation mark in the wrong place: quote the whole value, and double each quotation mark in the value';

async function* rowsOf(file: ImportFile, from: Place, options: Options, readAt: ReadAt): AsyncGenerator<Row> {
  let next = from;
  let emptyLines = 0;
  const rowOf = ([first = '', ...others]: string[], info: InfoRecord): Row => {
    // A file can begin with a byte order mark.
    const cells = [next.offset === 0 ? first.replace(/^\ufeff/, '') : first, ...others];
    const line = next.number + info.empty_lines - emptyLines;
    emptyLines = info.empty_lines;
    // The parser counts lines incorrectly after a value that contains CRLF.
    const lines = cells.join('').split('\n').length;
    next = { offset: from.offset + info.bytes, number: line + lines };
    return { line, cells, next };
  };
  const parser = parse({
    ...{ ...options, record_delimiter: ['\r\n', '\n'], skip_empty_lines: true },
    // The types of the parser support only the parser's own record type.
    ...{ relax_column_count: true, max_record_size: importLimits.lineBytes, on_record: rowOf as never },
  });
  // The loop below throws the errors of the pipeline.
  pipeline(Readable.from(blocksOf(file, from.offset, readAt)), parser, () => {});
  try {
    yield* parser as AsyncIterable<Row>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = next.number + Number(error.empty_lines) - emptyLines;
    throw new Unreadable(`the record that begins in line ${line} ${causeOf(error)}`);
  }
}

// UTF-16 text, archives and spreadsheets contain zero bytes.
const zero = '\0';
const wholeLines: Options = { delimiter: zero, quote: false };

/**
 * Opens a file at a position.
 * @returns the records, or an error text if the file cannot be read
 * @throws Unreadable, also while the records are read
 */
export async function openRecords(
  file: ImportFile,
  from: Place,
  readAt: ReadAt,
  extraAttributes: readonly string[],
): Promise<AsyncGenerator<FileRecord> | string> {
  const lines = rowsOf(file, { offset: 0, number: 1 }, wholeLines, readAt);
  const { value: first } = await lines.next();
  await lines.return(undefined);
  const text = first?.cells.join(zero) ?? '';
  if (/[\0\ufffd]/.test(text)) return 'the file must be UTF-8 text';
  const { isCsv, change } = readFileName(file.key);
  if (!isCsv) return readRows(rowsOf(file, from, wholeLines, readAt), (cells) => readJsonLine(cells.join(zero)));
  const columns = readColumns(text, extraAttributes);
  if (typeof columns === 'string') return columns;
  const { delimiter, names } = columns;
  const rows = rowsOf(file, from.offset === 0 ? first.next : from, { delimiter }, readAt);
  return readRows(rows, (cells) => readCsvRow(cells, names, change));
}

async function* readRows(
  rows: AsyncGenerator<Row>,
  read: (cells: readonly string[]) => ReadLine | undefined,
): AsyncGenerator<FileRecord> {
  for await (const { cells, ...place } of rows) yield { ...place, read: read(cells) };
}
