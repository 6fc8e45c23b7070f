import { Refusal } from '../../model/refusals.ts';
import { foldText } from '../fold-text.ts';
import { typingError } from '../persons/unknown-person.ts';
import { type DocumentPlace, nobody } from './document-place.ts';

/** A file in the documents bucket. */
export interface StoredFile extends DocumentPlace {
  readonly key: string;
  /** Changes with the file's bytes. */
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

/** `marriage`, `Marriage_Certificate` and `marriage certificate` name one kind of document. */
export const kindOf = (doctype: string): string =>
  foldText(doctype.replace(/[_-]+/g, ' ')).replace(/ CERTIFICATE$/, '');

/** Whether two names of types mean one kind. */
export const isSameKind = (one: string, other: string): boolean => kindOf(one) === kindOf(other);

/** The other person of a document, as one of its two sees it; undefined where it names nobody else. */
export const otherOf = (file: StoredFile, uin: string): string | undefined =>
  file.uin === uin ? file.secondaryUin : file.uin;

function isWanted(file: StoredFile, { uin, secondaryUin }: Wanted): boolean {
  const isOwn = file.uin === uin;
  if (secondaryUin === undefined) return isOwn || file.secondaryUin === uin;
  if (secondaryUin === nobody) return isOwn && file.secondaryUin === undefined;
  return (isOwn && file.secondaryUin === secondaryUin) || (file.uin === secondaryUin && file.secondaryUin === uin);
}

/** The refusal of a document that there is not. */
export function unknownDocument(secondaryUin: string | undefined): Refusal {
  const what = secondaryUin === undefined ? '' : ` with the secondaryUin in the query${typingError(secondaryUin)}`;
  return new Refusal('unknownDocument', `the person has no such document${what}`);
}

/**
 * Picks the document that was asked for from the files of a person, and from those of others that name the person as the second.
 * @returns its files, newest first: several files in one place, or that link the same two, are one document in several formats
 * @throws Refusal `unknownDocument`, or `ambiguousDocument` when only secondaryUin can tell
 */
export function chooseDocument(files: readonly StoredFile[], wanted: Wanted): [StoredFile, ...StoredFile[]] {
  const { uin, doctype, secondaryUin } = wanted;
  const fitting = files.filter((file) => isSameKind(file.doctype, doctype) && isWanted(file, wanted));
  const others = new Set(fitting.map((file) => otherOf(file, uin)));
  if (others.size > 1) {
    const alone = others.has(undefined) ? ` (${nobody}: the one that names nobody else)` : '';
    const message = `the person has several documents of this type: say with secondaryUin which one${alone}`;
    throw new Refusal('ambiguousDocument', message);
  }
  const [first, ...older] = fitting.toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  if (first === undefined) throw unknownDocument(secondaryUin);
  return [first, ...older];
}
