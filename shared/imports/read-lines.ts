import { importLimits } from '../domain/imports/import-limits.ts';
import type { ImportFile } from '../domain/imports/import-payload.ts';
import { type FileLine, lineSplitter, type Place } from '../domain/imports/split-lines.ts';

/** Reads so many bytes of a file from a byte on; undefined where the file is gone. */
export type ReadAt = (file: ImportFile, offset: number, bytes: number) => Promise<Uint8Array | undefined>;

/** The file is gone, or another. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

/** The blocks of a file from a byte on, each as it is asked for. @throws FileGone */
export async function* blocksOf(
  file: ImportFile,
  from: number,
  readAt: ReadAt,
  bytes: number = importLimits.blockBytes,
): AsyncGenerator<Uint8Array> {
  for (let offset = from; offset < file.bytes; ) {
    const block = await readAt(file, offset, bytes);
    if (block === undefined || block.length === 0) throw new FileGone();
    yield block;
    offset += block.length;
  }
}

/** The lines of a file from a place on. @throws FileGone */
export async function* linesOf(file: ImportFile, from: Place, readAt: ReadAt): AsyncGenerator<FileLine> {
  const splitter = lineSplitter(from, importLimits.lineBytes);
  for await (const block of blocksOf(file, from.offset, readAt)) yield* splitter.push(block);
  yield* splitter.end();
}
