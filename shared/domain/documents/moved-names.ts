import { doctypeKind } from './choose-document.ts';
import { isServed, noSecondPerson } from './document-place.ts';

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

/** Parses `{uin}/{doctype}/{secondaryUin or -}/{file name}`. The last folders may be missing. Folder names may be empty. */
function pathOf(name: string): Path {
  const parts = name.split('/');
  const [uin = '', doctype, second] = parts.slice(0, -1);
  return { uin, doctype, second, names: parts.slice(Math.min(3, parts.length - 1)) };
}

/** Returns the UINs of the persons that a document is about. @param name relative to the folder of all documents */
export function peopleOf(name: string): readonly string[] {
  const { uin, second } = pathOf(name);
  return second === undefined || second === '' || second === noSecondPerson ? [uin] : [uin, second];
}

/** Returns a key that is the same for all documents of one kind about the same person or pair of persons. */
const groupOf = ({ uin, second, doctype }: Path): string =>
  JSON.stringify([...[uin, second ?? ''].toSorted(), doctypeKind(doctype ?? '')]);

/**
 * Returns the new names of merged persons' documents. Each document moves to the same path under the kept person's
 * UIN, and its file name begins with the former owners' UINs. If callers already receive a document of this kind there,
 * a newer file would replace that document. The file therefore moves to a subfolder that callers cannot read.
 * @param names relative to the folder of all documents: `{uin}/{doctype}/{secondaryUin or -}/{file name}`
 * @param present the names of documents that stay in place
 * @returns a name for each document, in order
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
    // Merging both persons of a document joins several folders into one, so the file name contains both UINs.
    const from = peopleOf(name).filter((uin) => to.uin === to.second || duplicates.includes(uin));
    // A UIN may contain ~ but never %, so no two documents get the same file name.
    const whose = from.map((uin) => `${uin.replaceAll('~', '%7E')}~`).join('');
    const group = groups.get(groupOf(to)) ?? [];
    // A file that an interrupted run has already moved does not count as another document.
    const below = group.some((other) => !other.names[0]?.startsWith(whose)) ? ['merged'] : [];
    const names = [...below, `${whose}${to.names.join('/')}`];
    if (isServed(name) && below.length === 0) group.push({ ...to, names });
    groups.set(groupOf(to), group);
    return [to.uin, to.doctype, to.second, ...names].filter((part) => part !== undefined).join('/');
  });
}
