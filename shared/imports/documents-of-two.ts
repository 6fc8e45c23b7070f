import { linksAmong } from '../domain/documents/document-link.ts';
import type { Merge } from '../domain/documents/moved-names.ts';
import { inParts } from '../domain/in-parts.ts';
import type { Move } from '../storage/documents/change.ts';
import type { ImportTools } from './import-tools.ts';

const writesAtOnce = 10;

/**
 * Removes the documents of somebody who is gone, and what was made of them. A document of two stays while one of the two is in
 * the registry, under whomever it lies, and goes with the last of them.
 */
export async function removeDocuments(uin: string, tools: ImportTools): Promise<void> {
  const { documents, documentLinks, renditions, persons, now } = tools;
  const isThere = async (other: string): Promise<boolean> =>
    (await persons.changeable(other, now())).attributes !== undefined;
  const forget = (key: string): Promise<void> => renditions.removeOf(key);
  await documents.removeUnder(uin, isThere, forget);
  for (const link of await documentLinks.list(uin)) {
    if (!(await isThere(link.uin))) await documents.removeAt(link, forget);
  }
}

/** Where the documents of duplicates go, also those that lie under others; undefined where S3 could not move one of them. */
export async function movesOf(merge: Merge, { documents, documentLinks }: ImportTools) {
  const links = await Promise.all([merge.keep, ...merge.duplicates].map((uin) => documentLinks.list(uin)));
  return documents.movesOf(
    merge,
    links.flat().map(({ uin }) => uin),
  );
}

/** Moves documents where `movesOf` says; again it goes on where it was. */
export async function moveDocuments(moves: readonly Move[], { documents, documentLinks, newId }: ImportTools) {
  // The next line may be about one whom they name, and the bucket tells of them later. Before they go: a run that dies comes again.
  for (const links of inParts(linksAmong(moves.map(({ place }) => place)), writesAtOnce)) {
    await Promise.all(links.map((link) => documentLinks.put(link, newId())));
  }
  await documents.move(moves);
}
