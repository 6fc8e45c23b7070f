import { createInflate, inflateSync } from 'node:zlib';
import { limits } from '../conversion-limits.ts';
import { isDecodable } from '../image-codec.ts';

// The engine does not report every missing or damaged picture, so the functions in this module search the file. In a
// PDF, a plain-text dictionary precedes each stream. In an encrypted file, only the dictionaries are readable.

function* placesOf(file: Buffer, word: string): Generator<number> {
  for (let at = file.indexOf(word); at >= 0; at = file.indexOf(word, at + word.length)) yield at;
}

function streamBehind(file: Buffer, place: number): Buffer {
  const begin = file.indexOf('stream', place);
  if (begin === -1) return Buffer.alloc(0);
  const data = begin + (file[begin + 6] === 0x0d ? 8 : 7);
  const end = file.indexOf('endstream', data);
  return file.subarray(data, end === -1 ? undefined : end);
}

// The engine omits missing objects without an error and does not list them. Drawable objects are streams, and their
// headers are plain text.

const streamBytes = 16 * 1024 * 1024;

function unpackedAt(file: Buffer, place: number): string {
  try {
    return inflateSync(streamBehind(file, place), { maxOutputLength: streamBytes }).toString('latin1');
  } catch {
    return '';
  }
}

/** Returns the objects in the file. The key of an object is its number and generation, such as `5 0`. */
function definedObjects(file: Buffer): Set<string> {
  const defined = new Set<string>();
  for (const at of placesOf(file, 'obj')) {
    const head = file.toString('latin1', Math.max(0, at - 24), at).match(/(\d+)\s+(\d+)\s+$/);
    if (head) defined.add(`${Number(head[1])} ${Number(head[2])}`);
  }
  return defined;
}

/** Yields the name and the object id (such as `5 0`) of each XObject in the resources (ISO 32000-1, 7.8.3). */
function* namedObjects(text: string): Generator<[name: string, object: string]> {
  for (const [, entries = ''] of text.matchAll(/\/XObject\s*<<([^>]*)>>/g)) {
    for (const [, name = '', object, generation] of entries.matchAll(/\/([^\s/<>[\]()]+)\s+(\d+)\s+(\d+)\s+R\b/g)) {
      yield [name, `${Number(object)} ${Number(generation)}`];
    }
  }
}

const windowBytes = 64 * 1024;

function* resourceTexts(file: Buffer): Generator<string> {
  for (const at of placesOf(file, '/XObject')) {
    const end = file.indexOf('>>', at);
    yield file.toString('latin1', at, Math.min(end < 0 ? file.length : end + 2, at + windowBytes));
  }
  for (const at of placesOf(file, '/ObjStm')) yield unpackedAt(file, at);
}

function isShown(file: Buffer, names: ReadonlySet<string>): boolean {
  const shows = (text: string): boolean =>
    text.matchAll(/\/([^\s/<>[\]()]+)\s+Do\b/g).some(([, name = '']) => names.has(name));
  if (placesOf(file, 'Do').some((at) => shows(file.toString('latin1', Math.max(0, at - 130), at + 3)))) return true;
  return placesOf(file, 'obj').some((at) => {
    const head = file.toString('latin1', at, at + 400).split('stream')[0] ?? '';
    return /\/Fl(?:ateDecode)?\b/.test(head) && !/\/Image\b/.test(head) && shows(unpackedAt(file, at));
  });
}

/** Returns whether a PDF draws a picture or form that the file does not contain. */
export function lacksPicture(file: Buffer): boolean {
  const defined = definedObjects(file);
  const lacking = new Set<string>();
  for (const text of resourceTexts(file)) {
    for (const [name, object] of namedObjects(text)) if (!defined.has(object)) lacking.add(name);
  }
  return lacking.size > 0 && isShown(file, lacking);
}

// The engine treats unreadable parts of a mask as transparent, so the picture disappears. The engine does not list
// masks.

const dictionaryBytes = 2048;

/** Returns the position after an object's header. If an object occurs several times, the last occurrence is valid. */
function placeOf(file: Buffer, number: string, generation: string): number | undefined {
  const isDigit = (at: number): boolean => /\d/.test(String.fromCharCode(file[at] ?? 0));
  const head = `${Number(number)} ${Number(generation)} obj`;
  const place = [...placesOf(file, head)].findLast((at) => !isDigit(at - 1));
  return place === undefined ? undefined : place + head.length;
}

function unpackedBytes(data: Buffer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const unpacking = createInflate({ chunkSize: 1024 * 1024 });
  let bytes = 0;
  unpacking.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.inputPixels) unpacking.destroy();
  });
  unpacking.on('error', () => {});
  unpacking.on('close', () => resolve(bytes));
  unpacking.end(data);
  return promise;
}

/** Returns whether a mask is complete. A mask counts as complete if its dictionary does not state the size. */
async function isWhole(dictionary: string, data: Buffer): Promise<boolean> {
  const numberOf = (name: string): number =>
    Number(dictionary.match(new RegExp(`/${name}\\s+(\\d+)(?!\\s+\\d+\\s+R)\\b`))?.[1]);
  const filter = dictionary.match(/\/Filter\s*\[?\s*\/(\w+)\s*(?:\]|\/|>>|$)/)?.[1];
  const isAlone = !/\/Filter\s*\[\s*\/\w+\s*\//.test(dictionary);
  if (filter === 'DCTDecode' && isAlone) return isDecodable(data);
  const bits = numberOf('BitsPerComponent') || 1;
  const row = Math.ceil((numberOf('Width') * bits) / 8) + (numberOf('Predictor') >= 10 ? 1 : 0);
  // A truncated last row is accepted, because readers do not see the difference.
  const needed = row * (numberOf('Height') - 1);
  if (!(needed > 0) || !isAlone) return true;
  if (filter === 'FlateDecode') return (await unpackedBytes(data)) > needed;
  return filter !== undefined || data.length > needed;
}

/** Returns whether a picture in a PDF has a damaged or incomplete mask. Encrypted files are not checked. */
export async function hasBrokenMask(file: Buffer): Promise<boolean> {
  if (file.includes('/Encrypt')) return false;
  const seen = new Set<number>();
  for (const at of placesOf(file, 'Mask')) {
    const reference = file.toString('latin1', at - 2, at + 30).match(/\/?S?Mask\s+(\d+)\s+(\d+)\s+R\b/);
    const place = reference && placeOf(file, reference[1] ?? '', reference[2] ?? '');
    if (typeof place !== 'number' || seen.has(place)) continue;
    seen.add(place);
    const [dictionary = ''] = file.toString('latin1', place, place + dictionaryBytes).split('stream');
    if (/\/Image\b/.test(dictionary) && !(await isWhole(dictionary, streamBehind(file, place)))) return true;
  }
  return false;
}
