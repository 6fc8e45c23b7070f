import { recordsOf } from '../../domain/imports/csv-records.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import { type Columns, readColumns, textOf } from '../../domain/imports/read-line.ts';
import type { FileLine, Place } from '../../domain/imports/split-lines.ts';
import { linesOf, type ReadAt } from '../../imports/read-lines.ts';

interface Opened {
  readonly lines: AsyncGenerator<FileLine>;
  /** Of a CSV file. */
  readonly columns: Columns | undefined;
}

const isCsv = ({ key }: ImportFile): boolean => key.endsWith('.csv');

// Texts in UTF-16, archives, spreadsheets.
const isBinary = (bytes: Uint8Array): boolean => bytes.includes(0);

/**
 * Opens a file at a place.
 * @returns why it cannot be read, as text
 * @throws FileGone
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
  if (first?.bytes !== undefined && text === undefined) return 'the file must be text in UTF-8';
  if (!isCsv(file)) return { lines: linesOf(file, from, readAt), columns: undefined };
  const columns = readColumns(text ?? '', extraAttributes);
  if (typeof columns === 'string' || first === undefined) return String(columns);
  const lines = linesOf(file, from.offset === 0 ? first.next : from, readAt);
  return { lines: recordsOf(lines, columns, importLimits.lineBytes), columns };
}
