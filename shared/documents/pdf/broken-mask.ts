import { createInflate } from 'node:zlib';
import { isDecodable } from '../image-codec.ts';
import { limits } from '../limits.ts';
import { placesOf, streamBehind } from './pdf-text.ts';

// The engine takes what it cannot read of a mask for transparent, and so leaves out the picture under it. Masks are on none of
// its lists.

const dictionaryBytes = 2048;

/** The place of an object in the file, behind its head. An object that was written anew stands there twice: the last counts. */
function placeOf(file: Buffer, number: string, generation: string): number | undefined {
  const isDigit = (at: number): boolean => /\d/.test(String.fromCharCode(file[at] ?? 0));
  const head = `${Number(number)} ${Number(generation)} obj`;
  const place = [...placesOf(file, head)].findLast((at) => !isDigit(at - 1));
  return place === undefined ? undefined : place + head.length;
}

/** How much can be unpacked before the data ends or is damaged. */
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

/** Whether a mask is all there, as far as its dictionary says how much that is. */
async function isWhole(dictionary: string, data: Buffer): Promise<boolean> {
  const numberOf = (name: string): number =>
    Number(dictionary.match(new RegExp(`/${name}\\s+(\\d+)(?!\\s+\\d+\\s+R)\\b`))?.[1]);
  const filter = dictionary.match(/\/Filter\s*\[?\s*\/(\w+)\s*(?:\]|\/|>>|$)/)?.[1];
  const isAlone = !/\/Filter\s*\[\s*\/\w+\s*\//.test(dictionary);
  if (filter === 'DCTDecode' && isAlone) return isDecodable(data);
  const bits = numberOf('BitsPerComponent') || 1;
  const row = Math.ceil((numberOf('Width') * bits) / 8) + (numberOf('Predictor') >= 10 ? 1 : 0);
  // A last row that ends early does not show.
  const needed = row * (numberOf('Height') - 1);
  if (!(needed > 0) || !isAlone) return true;
  if (filter === 'FlateDecode') return (await unpackedBytes(data)) > needed;
  return filter !== undefined || data.length > needed;
}

/** Whether a picture of a PDF has a mask that is damaged or not all there. What is encrypted is not looked at. */
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
