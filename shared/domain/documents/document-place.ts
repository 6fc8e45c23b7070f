/** The place of a document about two persons. Stores look up a document link by the UIN of the second person. */
export interface DocumentLink extends DocumentPlace {
  readonly secondaryUin: string;
}

/** Returns the document links for the given places, without duplicates. A document about one person has no link. */
export function linksAmong(places: readonly (DocumentPlace | undefined)[]): DocumentLink[] {
  const links = new Map<string, DocumentLink>();
  for (const place of places) {
    if (place?.secondaryUin === undefined || place.secondaryUin === place.uin) continue;
    const { uin, doctype, secondaryUin } = place;
    links.set(`${secondaryUin}/${uin}/${doctype}`, { uin, doctype, secondaryUin });
  }
  return [...links.values()];
}

/** The folder of a document. All files in a folder contain the same document, in different formats. */
export interface DocumentPlace {
  readonly uin: string;
  readonly doctype: string;
  readonly secondaryUin: string | undefined;
}

/** The text that replaces `secondaryUin` in the path of a document about one person. */
export const noSecondPerson = '-';

/** Returns the folder of a document: `{uin}/{doctype}/{secondaryUin or -}/`. */
export const folderOf = ({ uin, doctype, secondaryUin = noSecondPerson }: DocumentPlace): string =>
  `${uin}/${doctype}/${secondaryUin}/`;

/**
 * Returns the place of a file. The file may be in a subfolder. Returns undefined if the name does not belong to a
 * document.
 * @param name relative to the folder of all documents
 */
export function placeOf(name: string): DocumentPlace | undefined {
  const [uin = '', doctype = '', second = '', ...below] = name.split('/');
  if ([uin, doctype, second, below.join('')].includes('')) return undefined;
  return { uin, doctype, secondaryUin: second === noSecondPerson ? undefined : second };
}

/**
 * Returns the UINs in the name of an object. The last folders in an object name may be missing or empty.
 * @param name relative to the folder of all documents
 */
export function peopleOf(name: string): readonly string[] {
  const [uin = '', , second = ''] = name.split('/').slice(0, -1);
  return ['', noSecondPerson].includes(second) ? [uin] : [uin, second];
}

/** Returns whether callers can read the file. Folder objects and files in subfolders are not returned to callers. */
export const isServed = (name: string): boolean => name.split('/').length === 4 && !name.endsWith('/');
