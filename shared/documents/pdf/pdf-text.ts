import { inflateSync } from 'node:zlib';

// What the engine does not tell of a PDF can be read off the file: streams stand in it as they are, behind a dictionary in
// plain text. Of an encrypted file only the dictionaries can be read.

/** Places of a word, from the start on. */
export function* placesOf(file: Buffer, word: string): Generator<number> {
  for (let at = file.indexOf(word); at >= 0; at = file.indexOf(word, at + word.length)) yield at;
}

/** The bytes of the stream that begins behind this place. */
export function streamBehind(file: Buffer, place: number): Buffer {
  const begin = file.indexOf('stream', place);
  if (begin < 0) return Buffer.alloc(0);
  const data = begin + (file[begin + 6] === 0x0d ? 8 : 7);
  const end = file.indexOf('endstream', data);
  return file.subarray(data, end < 0 ? undefined : end);
}

/** What can be unpacked of a stream, at most so much. */
export function unpacked(data: Buffer, mostBytes: number): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: mostBytes });
  } catch {
    return Buffer.alloc(0);
  }
}
