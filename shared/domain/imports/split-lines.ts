/** Where a file is read from: the line that begins at this byte has this number, from 1. */
export interface Place {
  readonly offset: number;
  readonly number: number;
}

/** A line as it stands in a file, without its end. */
export interface FileLine extends Place {
  /** Undefined where the line is too long to be read, or is not read for the next reasons. */
  readonly bytes: Uint8Array | undefined;
  /** The number of the last line of a record of CSV that goes through several. */
  readonly through?: number;
  /** Whether it is a record of CSV whose end cannot be told. */
  readonly isEndless?: boolean;
  /** Where the next line begins. */
  readonly next: Place;
}

const [newline, carriageReturn] = [0x0a, 0x0d];

/**
 * Splits a file into lines, which end by LF or CRLF. Holds no more of it than a line, and nothing of one that is longer than
 * `mostBytes`.
 * @param begin where the first block begins
 */
export function lineSplitter(begin: Place, mostBytes: number) {
  let place = begin;
  let held: Uint8Array[] = [];
  let length = 0;

  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length <= mostBytes) held.push(part);
    else held = [];
  };
  const lineOf = (endBytes: number): FileLine => {
    const whole = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held);
    const isLong = length > mostBytes;
    const bytes = isLong ? undefined : whole.subarray(0, whole.at(-1) === carriageReturn ? -1 : undefined);
    const next = { offset: place.offset + length + endBytes, number: place.number + 1 };
    const line = { ...place, bytes, next };
    [place, held, length] = [next, [], 0];
    return line;
  };

  return {
    /** The lines that end in the next block. */
    *push(block: Uint8Array): Generator<FileLine> {
      let from = 0;
      for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, from)) {
        take(block.subarray(from, at));
        from = at + 1;
        yield lineOf(1);
      }
      take(block.subarray(from));
    },
    /** What follows the last end of a line. */
    *end(): Generator<FileLine> {
      if (length > 0) yield lineOf(0);
    },
  };
}
