/** Where a document lies: the files in one place are one document in several formats. */
export interface DocumentPlace {
  readonly uin: string;
  readonly doctype: string;
  /** The other person of a document that links two. */
  readonly secondaryUin: string | undefined;
}

/** What stands where a document links nobody. */
export const nobody = '-';

/** The folder of a place: `{uin}/{doctype}/{secondaryUin or -}/`. */
export const folderOf = ({ uin, doctype, secondaryUin = nobody }: DocumentPlace): string =>
  `${uin}/${doctype}/${secondaryUin}/`;

/**
 * The place of a file by its name below the folder of all documents, also where it lies in folders below the place; undefined
 * for what is not laid out as documents are.
 */
export function placeOf(name: string): DocumentPlace | undefined {
  const [uin = '', doctype = '', second = '', ...below] = name.split('/');
  if ([uin, doctype, second, below.join('')].includes('')) return undefined;
  return { uin, doctype, secondaryUin: second === nobody ? undefined : second };
}

/**
 * Whether callers are given what has a place: not what lies in folders below it, which follows its people all the same, and not
 * the folder itself, as a console makes it.
 */
export const isServed = (name: string): boolean => name.split('/').length === 4 && !name.endsWith('/');
