import { type Columns, hasOddMarks, quotingOf } from './read-line.ts';
import type { FileLine } from './split-lines.ts';

const newline = Uint8Array.of(0x0a);

/**
 * The last line of the record that a line opens; undefined where there is none within so many bytes, or where its quotation
 * marks leave in doubt whether it is that.
 */
async function lastOf(
  first: FileLine,
  lines: AsyncIterator<FileLine>,
  columns: Columns,
  mostBytes: number,
): Promise<FileLine | undefined> {
  const parts = [first.bytes ?? newline];
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done || line.bytes === undefined || line.next.offset - first.offset > mostBytes) return undefined;
    parts.push(newline, line.bytes);
    // Else a value that is open before it is open behind it.
    if (hasOddMarks(line.bytes)) return quotingOf(Buffer.concat(parts), columns) === 'right' ? line : undefined;
  }
}

/**
 * The records of a file of CSV (RFC 4180): a line each, but where a value in quotation marks has an end of line in it. Of such
 * a one no line may be read as a record of its own, for it is text that somebody has typed. The last of a file may be `isEndless`,
 * which then comes again and again: whoever asks for the next is not to take what is left for read.
 */
export async function* recordsOf(
  lines: AsyncIterator<FileLine>,
  columns: Columns,
  mostBytes: number,
): AsyncGenerator<FileLine> {
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) return;
    const quoting = line.bytes === undefined ? 'unclear' : quotingOf(line.bytes, columns);
    const last = quoting === 'open' ? await lastOf(line, lines, columns, mostBytes) : undefined;
    if (quoting === 'right' || quoting === 'wrong') yield line;
    else if (last !== undefined) yield { ...line, bytes: undefined, through: last.number, next: last.next };
    else for (;;) yield { ...line, bytes: undefined, isEndless: true };
  }
}
