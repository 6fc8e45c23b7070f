import { kindOf } from './choose-document.ts';
import { isServed, nobody } from './document-place.ts';

/** Persons who become one. */
export interface Merge {
  readonly keep: string;
  readonly duplicates: readonly string[];
}

interface Path {
  readonly uin: string;
  readonly doctype: string | undefined;
  readonly second: string | undefined;
  readonly names: readonly string[];
}

/** `{uin}/{doctype}/{secondaryUin or -}/{file name}`; what lies less deep has no such folders, and one of them may have no name. */
function pathOf(name: string): Path {
  const parts = name.split('/');
  const [uin = '', doctype, second] = parts.slice(0, -1);
  return { uin, doctype, second, names: parts.slice(Math.min(3, parts.length - 1)) };
}

/** The UINs of those whom a document is about, by its name below the folder of all documents. */
export function peopleOf(name: string): readonly string[] {
  const { uin, second } = pathOf(name);
  return second === undefined || second === '' || second === nobody ? [uin] : [uin, second];
}

/** The same for all documents of one kind that are of the same two people, or of the same one alone. */
const groupOf = ({ uin, second, doctype }: Path): string =>
  JSON.stringify([...[uin, second ?? ''].toSorted(), kindOf(doctype ?? '')]);

/**
 * Where documents go of persons who are one with another, whether they lie under such a person or name them as the second: to
 * the same place of the other, under a name that says whose it was. Where callers are given a document of this kind there, or one
 * of the same two under the second person, it goes a folder deeper, where no one is given it: else it would stand in for that one,
 * as the newer.
 * @param names below the folder of all documents: `{uin}/{doctype}/{secondaryUin or -}/{file name}`
 * @param present the names of the documents that are there, and stay
 * @returns a name for each, in order
 */
export function movedNames(
  names: readonly string[],
  { keep, duplicates }: Merge,
  present: readonly string[],
): readonly string[] {
  const kept = <Uin extends string | undefined>(uin: Uin): Uin | string =>
    uin !== undefined && duplicates.includes(uin) ? keep : uin;
  const groups = Map.groupBy(present.filter(isServed).map(pathOf), groupOf);
  return names.map((name) => {
    const path = pathOf(name);
    const to = { ...path, uin: kept(path.uin), second: kept(path.second) };
    // Where both of its people are one, the other way round and that of another duplicate go to the same place.
    const from = peopleOf(name).filter((uin) => to.uin === to.second || duplicates.includes(uin));
    // A UIN may hold a ~ and never a %: no two documents get one name.
    const whose = from.map((uin) => `${uin.replaceAll('~', '%7E')}~`).join('');
    const group = groups.get(groupOf(to)) ?? [];
    // Our own, moved by a run that died, takes nobody's place.
    const below = group.some((other) => !other.names[0]?.startsWith(whose)) ? ['merged'] : [];
    const names = [...below, `${whose}${to.names.join('/')}`];
    // It takes the place of those that come after it where it is given to callers.
    if (isServed(name) && below.length === 0) group.push({ ...to, names });
    groups.set(groupOf(to), group);
    return [to.uin, to.doctype, to.second, ...names].filter((part) => part !== undefined).join('/');
  });
}
