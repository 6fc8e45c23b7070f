import { type Columns, hasOddMarks, quotingOf } from './read-line.ts';
import type { FileLine } from './split-lines.ts';

const newline = Uint8Array.of(0x0a);

/** Returns a multi-line record's last line; undefined if the record is too long or its quotation marks are ambiguous. */
async function lastOf(
  first: FileLine,
  lines: AsyncIterator<FileLine>,
  columns: Columns,
  maxBytes: number,
): Promise<FileLine | undefined> {
  const parts = [first.bytes ?? newline];
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done || line.bytes === undefined || line.next.offset - first.offset > maxBytes) return undefined;
    parts.push(newline, line.bytes);
    // A line with an even number of quotation marks cannot close a quoted value from an earlier line.
    if (hasOddMarks(line.bytes)) return quotingOf(Buffer.concat(parts), columns) === 'right' ? line : undefined;
  }
}

/**
 * Yields the records of a CSV file (RFC 4180). If a value contains a line break, the record has no bytes, because its lines must not be
 * read as records. If a record has no clear end, only `isEndless` records follow, because the rest of the file cannot be read.
 */
export async function* recordsOf(
  lines: AsyncIterator<FileLine>,
  columns: Columns,
  maxBytes: number,
): AsyncGenerator<FileLine> {
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) return;
    const quoting = line.bytes === undefined ? 'unclear' : quotingOf(line.bytes, columns);
    const last = quoting === 'open' ? await lastOf(line, lines, columns, maxBytes) : undefined;
    if (quoting === 'right' || quoting === 'wrong') yield line;
    else if (last !== undefined) yield { ...line, bytes: undefined, through: last.number, next: last.next };
    else for (;;) yield { ...line, bytes: undefined, isEndless: true };
  }
}
