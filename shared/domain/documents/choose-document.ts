import { ClientError } from '../client-errors.ts';
import { foldText } from '../fold-text.ts';
import { typingError } from '../persons/unknown-person.ts';
import { type DocumentPlace, noSecondPerson } from './document-place.ts';

export interface StoredFile extends DocumentPlace {
  readonly key: string;
  /** The entity tag changes whenever the bytes of the file change. */
  readonly etag: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

/**
 * A file, and the current UINs of the persons whom the document is about. The path of the file may contain former UINs.
 */
export interface PersonsFile extends DocumentPlace {
  readonly file: StoredFile;
}

/** The UINs are current UINs. */
interface Wanted {
  readonly uin: string;
  readonly doctype: string;
  readonly secondaryUin?: string | undefined;
}

/**
 * Returns the kind of a document. The kind is the same for `marriage`, `Marriage_Certificate` and `marriage
 * certificate`.
 */
export const doctypeKind = (doctype: string): string =>
  foldText(doctype.replace(/[_-]+/g, ' ')).replace(/ CERTIFICATE$/, '');

export const isSameKind = (one: string, other: string): boolean => doctypeKind(one) === doctypeKind(other);

/**
 * Returns the UIN of the other person if the document is about `uin` and another person; undefined if the document is
 * about one person.
 */
export const otherPersonOf = (file: PersonsFile, uin: string): string | undefined =>
  file.uin === uin ? file.secondaryUin : file.uin;

function isWanted(file: PersonsFile, { uin, secondaryUin }: Wanted): boolean {
  const isOwn = file.uin === uin;
  if (secondaryUin === undefined) return isOwn || file.secondaryUin === uin;
  if (secondaryUin === noSecondPerson) return isOwn && file.secondaryUin === undefined;
  return (isOwn && file.secondaryUin === secondaryUin) || (file.uin === secondaryUin && file.secondaryUin === uin);
}

export function unknownDocument(secondaryUin: string | undefined): ClientError {
  const what = secondaryUin === undefined ? '' : ` with the secondaryUin in the query${typingError(secondaryUin)}`;
  return new ClientError('unknownDocument', `the person has no such document${what}`);
}

/**
 * Returns the former UIN under which a person's file is stored; undefined if the file is stored under the current UIN.
 */
export function formerUinIn({ file, ...persons }: PersonsFile, uin: string): string | undefined {
  const stored = persons.uin === uin ? file.uin : persons.secondaryUin === uin ? file.secondaryUin : uin;
  return stored === uin ? undefined : stored;
}

const formerCount = ({ file, uin, secondaryUin }: PersonsFile): number =>
  Number(file.uin !== uin) + Number(file.secondaryUin !== secondaryUin);

const pairOf = ({ file: { uin, secondaryUin = '' } }: PersonsFile): string =>
  JSON.stringify([uin, secondaryUin].toSorted());

/**
 * Selects the requested document from a person's files and from the files that name this person as the second person.
 * Documents that are stored under current UINs take precedence over documents that are stored under former UINs.
 * @returns the files of the document in all its formats, newest first; files with the same UINs belong to the same
 * document
 * @throws ClientError `unknownDocument`; `ambiguousDocument` if `secondaryUin` is needed to select a document
 */
export function chooseDocument(files: readonly PersonsFile[], wanted: Wanted): [PersonsFile, ...PersonsFile[]] {
  const { uin, doctype, secondaryUin } = wanted;
  const fitting = files.filter((file) => isSameKind(file.doctype, doctype) && isWanted(file, wanted));
  const others = new Set(fitting.map((file) => otherPersonOf(file, uin)));
  if (others.size > 1) {
    const alone = others.has(undefined) ? ` (${noSecondPerson}: the document about this person alone)` : '';
    const message = `the person has several documents of this type: use secondaryUin to select one${alone}`;
    throw new ClientError('ambiguousDocument', message);
  }
  const newest = fitting.toSorted((a, b) => formerCount(a) - formerCount(b) || b.file.modifiedAt - a.file.modifiedAt);
  const [first, ...rest] = newest;
  if (first === undefined) throw unknownDocument(secondaryUin);
  return [first, ...rest.filter((one) => pairOf(one) === pairOf(first))];
}
