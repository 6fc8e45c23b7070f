import { placesOf, streamBehind, unpacked } from './pdf-text.ts';

// A page that shows an object which is not in the file is drawn by the engine without it, and without a word: the object is
// not on its list of what is on the page. Objects that can be shown are streams, whose heads stand in the file as text.

const streamBytes = 16 * 1024 * 1024;

/** The text of a packed stream that begins behind this place; empty where it is none. */
const unpackedAt = (file: Buffer, place: number): string =>
  unpacked(streamBehind(file, place), streamBytes).toString('latin1');

/** The heads of objects that stand in the file, as `5 0`. */
function definedObjects(file: Buffer): Set<string> {
  const defined = new Set<string>();
  for (const at of placesOf(file, 'obj')) {
    const head = file.toString('latin1', Math.max(0, at - 24), at).match(/(\d+)\s+(\d+)\s+$/);
    if (head) defined.add(`${Number(head[1])} ${Number(head[2])}`);
  }
  return defined;
}

/** Names of objects to show (ISO 32000-1, 7.8.3: the XObject part of resources) with what they stand for, as `5 0`. */
function* namedObjects(text: string): Generator<[name: string, object: string]> {
  for (const [, entries = ''] of text.matchAll(/\/XObject\s*<<([^>]*)>>/g)) {
    for (const [, name = '', object, generation] of entries.matchAll(/\/([^\s/<>[\]()]+)\s+(\d+)\s+(\d+)\s+R\b/g)) {
      yield [name, `${Number(object)} ${Number(generation)}`];
    }
  }
}

const windowBytes = 64 * 1024;

/** The places of a file where resources may stand, as texts: around each mention, and in its packed objects. */
function* resourceTexts(file: Buffer): Generator<string> {
  for (const at of placesOf(file, '/XObject')) {
    const end = file.indexOf('>>', at);
    yield file.toString('latin1', at, Math.min(end < 0 ? file.length : end + 2, at + windowBytes));
  }
  for (const at of placesOf(file, '/ObjStm')) yield unpackedAt(file, at);
}

/** Whether a page or a form of it shows an object of one of these names. */
function isShown(file: Buffer, names: ReadonlySet<string>): boolean {
  const shows = (text: string): boolean =>
    text.matchAll(/\/([^\s/<>[\]()]+)\s+Do\b/g).some(([, name = '']) => names.has(name));
  if (placesOf(file, 'Do').some((at) => shows(file.toString('latin1', Math.max(0, at - 130), at + 3)))) return true;
  return placesOf(file, 'obj').some((at) => {
    const head = file.toString('latin1', at, at + 400).split('stream')[0] ?? '';
    return /\/Fl(?:ateDecode)?\b/.test(head) && !/\/Image\b/.test(head) && shows(unpackedAt(file, at));
  });
}

/** Whether a PDF shows a picture (or a form) that it names and does not have. */
export function lacksPicture(file: Buffer): boolean {
  const defined = definedObjects(file);
  const lacking = new Set<string>();
  for (const text of resourceTexts(file)) {
    for (const [name, object] of namedObjects(text)) if (!defined.has(object)) lacking.add(name);
  }
  return lacking.size > 0 && isShown(file, lacking);
}
