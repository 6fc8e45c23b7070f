import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The descriptor of the scratch file in the conversion process: its position in `stdio`. */
export const scratchDescriptor = 3;

/**
 * Opens an unnamed file that transfers documents to and from the conversion process. Such a file is several times faster
 * than a pipe. The operating system deletes the file when no process has it open any more.
 */
export const scratchFileOf = (descriptor: number) => ({
  descriptor,
  write(pieces: readonly Uint8Array[]): void {
    ftruncateSync(descriptor, 0);
    let place = 0;
    for (const piece of pieces) {
      for (let done = 0; done < piece.length; ) {
        done += writeSync(descriptor, piece, done, piece.length - done, place + done);
      }
      place += piece.length;
    }
  },
  read(lengths: readonly number[]): Buffer[] {
    let place = 0;
    return lengths.map((length) => {
      const piece = Buffer.allocUnsafeSlow(length);
      for (let done = 0; done < length; ) {
        const count = readSync(descriptor, piece, done, length - done, place + done);
        if (count === 0) throw new RangeError('the scratch file ends early');
        done += count;
      }
      place += length;
      return piece;
    });
  },
  close: () => closeSync(descriptor),
});

export type ScratchFile = ReturnType<typeof scratchFileOf>;

export function createScratchFile(): ScratchFile {
  const path = join(tmpdir(), `conversion-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return scratchFileOf(descriptor);
}
