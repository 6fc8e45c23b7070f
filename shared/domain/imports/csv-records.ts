import { opensQuote } from './read-line.ts';
import type { FileLine } from './split-lines.ts';

const quotationMark = 0x22;

/** Whether a quotation mark that is open before some bytes is closed after them: one within a value is given twice (RFC 4180). */
const isClosedAfter = (bytes: Uint8Array): boolean => {
  let count = 0;
  for (let at = bytes.indexOf(quotationMark); at >= 0; at = bytes.indexOf(quotationMark, at + 1)) count++;
  return count % 2 === 1;
};

/** The last line of the record that a line opens; undefined where it has none within so many bytes, or a line too long to know. */
async function lastOf(
  first: FileLine,
  lines: AsyncIterator<FileLine>,
  mostBytes: number,
): Promise<FileLine | undefined> {
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done || line.bytes === undefined || line.next.offset - first.offset > mostBytes) return undefined;
    if (isClosedAfter(line.bytes)) return line;
  }
}

/**
 * The records of a file of CSV (RFC 4180): a line each, but where a value in quotation marks has an end of line in it. Of such
 * a one no line may be read as a record of its own, for it is text that somebody has typed. The last of a file may be `isEndless`,
 * which then comes again and again: whoever asks for the next is not to take what is left for read.
 */
export async function* recordsOf(
  lines: AsyncIterator<FileLine>,
  delimiter: string,
  mostBytes: number,
): AsyncGenerator<FileLine> {
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) return;
    const isOpen = line.bytes === undefined || opensQuote(line.bytes, delimiter);
    const last = isOpen && line.bytes !== undefined ? await lastOf(line, lines, mostBytes) : undefined;
    if (!isOpen) yield line;
    else if (last !== undefined) yield { ...line, bytes: undefined, through: last.number, next: last.next };
    else for (;;) yield { ...line, bytes: undefined, isEndless: true };
  }
}
