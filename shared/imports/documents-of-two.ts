import { linksAmong } from '../domain/documents/document-link.ts';
import type { DocumentPlace } from '../domain/documents/document-place.ts';
import type { Merge } from '../domain/documents/moved-names.ts';
import { inParts } from '../domain/in-parts.ts';
import type { Move } from '../storage/documents/change.ts';
import type { ImportTools } from './import-tools.ts';

/** What documents are moved with. */
export interface MovingTools extends Pick<ImportTools, 'documents' | 'newId'> {
  readonly documentLinks: Pick<ImportTools['documentLinks'], 'put'>;
}

/** The same, and what they are found and removed with, and who their people are is asked. */
interface DocumentTools extends Pick<ImportTools, 'documents' | 'documentLinks' | 'renditions' | 'now' | 'newId'> {
  readonly persons: Pick<ImportTools['persons'], 'whereabouts'>;
}

const writesAtOnce = 10;

/**
 * Removes the documents of somebody who is gone, and what was made of them. A document of two stays while one of the two is in
 * the registry, or one with whom they were merged, under whomever it lies, and goes with the last of them.
 */
export async function removeDocuments(uin: string, tools: DocumentTools): Promise<void> {
  const { documents, documentLinks, renditions, persons, now } = tools;
  const isThere = async (other: string): Promise<boolean> => (await persons.whereabouts(other, now())).is === 'there';
  const forget = (key: string): Promise<void> => renditions.removeOf(key);
  await documents.removeUnder(uin, isThere, forget);
  for (const link of await documentLinks.list(uin)) {
    if (!(await isThere(link.uin))) await documents.removeAt(link, forget);
  }
}

/** Where the documents of duplicates go, also those that lie under others. */
export async function movesOf(merge: Merge, { documents, documentLinks }: DocumentTools) {
  const links = await Promise.all([merge.keep, ...merge.duplicates].map((uin) => documentLinks.list(uin)));
  return documents.movesOf(
    merge,
    links.flat().map(({ uin }) => uin),
  );
}

/** Moves documents where `movesOf` says; again it goes on where it was. */
export async function moveDocuments(moves: readonly Move[], tools: MovingTools): Promise<void> {
  // The next line may be about one whom they name, and the bucket tells of them later. Before they go: a run that dies comes again.
  await linkTargets(moves, tools);
  await tools.documents.move(moves);
  // Whoever looked at a place before they were there may have removed its link.
  await linkTargets(moves, tools);
}

async function linkTargets(moves: readonly Move[], { documentLinks, newId }: MovingTools): Promise<void> {
  for (const links of inParts(linksAmong(moves.map(({ place }) => place)), writesAtOnce)) {
    await Promise.all(links.map((link) => documentLinks.put(link, newId())));
  }
}

/** Moves what `movesOf` finds; false where S3 could not move one of them. */
export async function moveAll(merge: Merge, tools: DocumentTools): Promise<boolean> {
  const { moves, isWhole } = await movesOf(merge, tools);
  await moveDocuments(moves, tools);
  return isWhole;
}

/** The same of what lies in one place: the bucket tells of the others, too. */
export async function moveFrom(place: DocumentPlace, merge: Merge, tools: MovingTools): Promise<boolean> {
  const owners = [place.uin, place.secondaryUin ?? place.uin];
  const { moves, isWhole } = await tools.documents.movesOf(merge, owners, place);
  await moveDocuments(moves, tools);
  return isWhole;
}
