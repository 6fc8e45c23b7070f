import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A file without a name, by which documents go to the converting process and back: several times as fast as a pipe. It is
 * gone with the last process that has it open, however that ends.
 */
export interface Scratch {
  readonly descriptor: number;
  /** Puts these in place of all that was there, one after the other. */
  write(pieces: readonly Uint8Array[]): void;
  /** The pieces of these lengths, from the start on. */
  read(lengths: readonly number[]): Buffer[];
  close(): void;
}

/** The scratch behind a descriptor that this process has or was born with. */
export const scratchOf = (descriptor: number): Scratch => ({
  descriptor,
  write(pieces) {
    ftruncateSync(descriptor, 0);
    let place = 0;
    for (const piece of pieces) {
      for (let done = 0; done < piece.length; ) {
        done += writeSync(descriptor, piece, done, piece.length - done, place + done);
      }
      place += piece.length;
    }
  },
  read(lengths) {
    let place = 0;
    return lengths.map((length) => {
      const piece = Buffer.allocUnsafeSlow(length);
      for (let done = 0; done < length; ) {
        const count = readSync(descriptor, piece, done, length - done, place + done);
        if (count === 0) throw new RangeError('the scratch ends early');
        done += count;
      }
      place += length;
      return piece;
    });
  },
  close: () => closeSync(descriptor),
});

/** A new scratch, for this process and those that it hands the descriptor to. */
export function createScratch(): Scratch {
  const path = join(tmpdir(), `conversion-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return scratchOf(descriptor);
}
