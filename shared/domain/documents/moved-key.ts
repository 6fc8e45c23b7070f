import { isSameKind } from './choose-document.ts';
import { nobody } from './document-place.ts';

/** Persons who become one. */
export interface Merge {
  readonly keep: string;
  readonly duplicates: readonly string[];
}

interface Path {
  readonly uin: string;
  readonly doctype: string;
  readonly second: string;
  readonly names: readonly string[];
}

/** `{uin}/{doctype}/{secondaryUin or -}/{file name}`; what lies less deep has none of the folders that are missing. */
function pathOf(name: string): Path {
  const parts = name.split('/');
  const [uin = '', doctype = '', second = ''] = parts.slice(0, -1);
  return { uin, doctype, second, names: parts.slice(Math.min(3, parts.length - 1)) };
}

/** The UINs of those whom a document is about, by its name below the folder of all documents. */
export function peopleOf(name: string): readonly string[] {
  const { uin, second } = pathOf(name);
  return second === '' || second === nobody ? [uin] : [uin, second];
}

/** Whether two documents are of the same two people, or of the same one alone. */
const isOfSame = (one: Path, other: Path): boolean =>
  (one.uin === other.uin && one.second === other.second) || (one.uin === other.second && one.second === other.uin);

/**
 * Where a document goes of a person who is one with another, whether it lies under that person or names them as the second: to
 * the same place of the other, under a name that says whose it was. Where there is a document of this kind there, or one of the
 * same two under the second person, it goes a folder deeper, where no one is given it: else it would stand in for that one, as
 * the newer.
 * @param name below the folder of all documents: `{uin}/{doctype}/{secondaryUin or -}/{file name}`
 * @param present the names of the documents that are there
 */
export function movedKey(name: string, { keep, duplicates }: Merge, present: readonly string[]): string {
  const path = pathOf(name);
  const kept = (uin: string): string => (duplicates.includes(uin) ? keep : uin);
  const to = { ...path, uin: kept(path.uin), second: kept(path.second) };
  // Where both of its people are one, the other way round and that of another duplicate go to the same place.
  const from = peopleOf(name).filter((uin) => to.uin === to.second || duplicates.includes(uin));
  // A UIN may hold a ~ and never a %: no two documents get one name.
  const whose = from.map((uin) => `${uin.replaceAll('~', '%7E')}~`).join('');
  const isTaken = present.some((one) => {
    const other = pathOf(one);
    // Our own, moved by a run that died.
    return isSameKind(other.doctype, to.doctype) && isOfSame(other, to) && !other.names[0]?.startsWith(whose);
  });
  const folders = [to.uin, to.doctype, to.second, isTaken ? 'merged' : ''].filter((folder) => folder !== '');
  return [...folders, `${whose}${to.names.join('/')}`].join('/');
}
