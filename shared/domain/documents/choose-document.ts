import { Refusal } from '../../model/refusals.ts';
import { foldText } from '../fold-text.ts';
import { typingError } from '../persons/unknown-person.ts';
import type { DocumentPlace } from './document-place.ts';

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
const kindOf = (doctype: string): string => foldText(doctype.replace(/[_-]+/g, ' ')).replace(/ CERTIFICATE$/, '');

const links = (file: StoredFile, { uin, secondaryUin }: Wanted): boolean =>
  (file.uin === uin && file.secondaryUin === secondaryUin) || (file.uin === secondaryUin && file.secondaryUin === uin);

/**
 * Picks the document that was asked for from the files of a person and, where one was named, of the second.
 * @returns its files, newest first: several files in one place are one document in several formats
 * @throws Refusal `unknownDocument`, or `ambiguousDocument` when only secondaryUin can tell
 */
export function chooseDocument(files: readonly StoredFile[], wanted: Wanted): [StoredFile, ...StoredFile[]] {
  const { uin, doctype, secondaryUin } = wanted;
  const ofKind = files.filter((file) => kindOf(file.doctype) === kindOf(doctype));
  const fitting = ofKind.filter((file) => (secondaryUin === undefined ? file.uin === uin : links(file, wanted)));
  const places = new Set(fitting.map((file) => file.secondaryUin));
  if (secondaryUin === undefined && places.size > 1) {
    const message = `the person has ${places.size} documents of this type: say with secondaryUin which one`;
    throw new Refusal('ambiguousDocument', message);
  }
  const [first, ...others] = fitting.toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  if (first === undefined) {
    const what = secondaryUin === undefined ? '' : ` with the secondaryUin in the query${typingError(secondaryUin)}`;
    throw new Refusal('unknownDocument', `the person has no such document${what}`);
  }
  return [first, ...others];
}
