/** A position in a file: the byte offset and the number (from 1) of a line. */
export interface Place {
  readonly offset: number;
  readonly number: number;
}

export interface FileLine extends Place {
  /** Undefined if the line is too long. */
  readonly bytes: Uint8Array | undefined;
  readonly next: Place;
}

const [newline, carriageReturn] = [0x0a, 0x0d];

/**
 * Splits a file into lines that end with LF or CRLF. Keeps at most one line in memory, and discards lines longer than
 * `maxBytes`.
 * @param begin the position of the first block
 */
export function lineSplitter(begin: Place, maxBytes: number) {
  let place = begin;
  let held: Uint8Array[] = [];
  let length = 0;

  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length <= maxBytes) held.push(part);
    else held = [];
  };
  const lineOf = (endBytes: number): FileLine => {
    const whole = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held);
    const isLong = length > maxBytes;
    const bytes = isLong ? undefined : whole.subarray(0, whole.at(-1) === carriageReturn ? -1 : undefined);
    const next = { offset: place.offset + length + endBytes, number: place.number + 1 };
    const line = { ...place, bytes, next };
    [place, held, length] = [next, [], 0];
    return line;
  };

  return {
    *push(block: Uint8Array): Generator<FileLine> {
      let from = 0;
      for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, from)) {
        take(block.subarray(from, at));
        from = at + 1;
        yield lineOf(1);
      }
      take(block.subarray(from));
    },
    *end(): Generator<FileLine> {
      if (length > 0) yield lineOf(0);
    },
  };
}
