import { ClientError } from '../client-errors.ts';
import { foldText } from '../fold-text.ts';
import { typingError } from '../persons/unknown-person.ts';
import { type DocumentPlace, noSecondPerson } from './document-place.ts';

export interface StoredFile extends DocumentPlace {
  readonly key: string;
  /** Changes whenever the bytes of the file change. */
  readonly etag: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
}

interface Wanted {
  readonly uin: string;
  readonly doctype: string;
  readonly secondaryUin?: string | undefined;
}

/** Returns the kind of a document, which is the same for `marriage`, `Marriage_Certificate` and `marriage certificate`. */
export const doctypeKind = (doctype: string): string =>
  foldText(doctype.replace(/[_-]+/g, ' ')).replace(/ CERTIFICATE$/, '');

export const isSameKind = (one: string, other: string): boolean => doctypeKind(one) === doctypeKind(other);

/** Returns the UIN of the other person in a document about two persons; otherwise undefined. */
export const otherPersonOf = (file: StoredFile, uin: string): string | undefined =>
  file.uin === uin ? file.secondaryUin : file.uin;

function isWanted(file: StoredFile, { uin, secondaryUin }: Wanted): boolean {
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
 * Selects the requested document from a person's files and from other persons' files that name this person second.
 * @returns the document's files, newest first: files in one place, or about the same two persons, are its formats
 * @throws ClientError `unknownDocument`; `ambiguousDocument` if `secondaryUin` is needed to select a document
 */
export function chooseDocument(files: readonly StoredFile[], wanted: Wanted): [StoredFile, ...StoredFile[]] {
  const { uin, doctype, secondaryUin } = wanted;
  const fitting = files.filter((file) => isSameKind(file.doctype, doctype) && isWanted(file, wanted));
  const others = new Set(fitting.map((file) => otherPersonOf(file, uin)));
  if (others.size > 1) {
    const alone = others.has(undefined) ? ` (${noSecondPerson}: the document about this person alone)` : '';
    const message = `the person has several documents of this type: use secondaryUin to select one${alone}`;
    throw new ClientError('ambiguousDocument', message);
  }
  const [first, ...older] = fitting.toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  if (first === undefined) throw unknownDocument(secondaryUin);
  return [first, ...older];
}
