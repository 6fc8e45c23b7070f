import { linksAmong } from '../../domain/documents/document-link.ts';
import type { DocumentPlace } from '../../domain/documents/document-place.ts';
import type { Merge } from '../../domain/documents/moved-names.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { Move, Unmoved } from '../../storage/documents/move.ts';
import type { ImportTools } from './import-tools.ts';

/** What documents are moved with. */
export interface MovingTools extends Pick<ImportTools, 'documents' | 'newId'> {
  readonly documentLinks: Pick<ImportTools['documentLinks'], 'put'>;
}

/** The same, and what they are found and removed with, and who their people are is asked. */
interface DocumentTools extends Pick<ImportTools, 'documents' | 'documentLinks' | 'renditions' | 'now' | 'newId'> {
  readonly persons: Pick<ImportTools['persons'], 'whereabouts' | 'rememberGone'>;
}

const writesAtOnce = 10;

/**
 * Removes the documents of somebody who is gone, and what was made of them. A document of two stays while one of the two is in
 * the registry, or one with whom they were merged, under whomever it lies, and goes with the last of them. What lies under
 * somebody whom nobody knows is theirs: they may be registered yet. What is remembered of who is gone does not end where such
 * documents stay: the other one's removal must find it, and nobody else be given a UIN that stands in documents.
 * @returns how many documents of such people are left
 */
export async function removeDocuments(uin: string, tools: DocumentTools): Promise<number> {
  const { documents, documentLinks, renditions, persons, now } = tools;
  const whoIs = async (other: string) => (await persons.whereabouts(other, now())).is;
  const forget = (key: string): Promise<void> => renditions.removeOf(key);
  let [isLeft, unknown] = [false, 0];
  const isKept = async (second: string): Promise<boolean> => {
    const is = await whoIs(second);
    isLeft ||= is === 'there';
    return is === 'there';
  };
  await documents.removeUnder(uin, isKept, forget);
  for (const link of await documentLinks.list(uin)) {
    const is = await whoIs(link.uin);
    if (is === 'gone') await documents.removeAt(link, forget);
    else isLeft = true;
    if (is === 'unknown') unknown += 1;
  }
  if (isLeft) await persons.rememberGone(uin);
  return unknown;
}

/** Where the documents of duplicates go, also those that lie under others. */
export async function movesOf(merge: Merge, { documents, documentLinks }: DocumentTools) {
  const links = await Promise.all([merge.keep, ...merge.duplicates].map((uin) => documentLinks.list(uin)));
  return documents.movesOf(
    merge,
    links.flat().map(({ uin }) => uin),
  );
}

/** Moves documents where `movesOf` says, and answers why others were not moved; again it goes on where it was. */
async function moveDocuments(
  { moves, isWhole }: { readonly moves: readonly Move[]; readonly isWhole: boolean },
  tools: MovingTools,
): Promise<readonly Unmoved[]> {
  // The next line may be about one whom they name, and the bucket tells of them later. Before they go: a run that dies comes again.
  await linkTargets(moves, tools);
  const unmoved = await tools.documents.move(moves);
  // Whoever looked at a place before they were there may have removed its link.
  await linkTargets(moves, tools);
  return isWhole ? unmoved : [undefined, ...unmoved];
}

async function linkTargets(moves: readonly Move[], { documentLinks, newId }: MovingTools): Promise<void> {
  for (const links of inParts(linksAmong(moves.map(({ place }) => place)), writesAtOnce)) {
    await Promise.all(links.map((link) => documentLinks.put(link, newId())));
  }
}

/** Moves what `movesOf` finds; answers why some were not moved. */
export const moveAll = async (merge: Merge, tools: DocumentTools): Promise<readonly Unmoved[]> =>
  moveDocuments(await movesOf(merge, tools), tools);

/** The same of what lies in one place: the bucket tells of the others, too. */
export async function moveFrom(place: DocumentPlace, merge: Merge, tools: MovingTools): Promise<readonly Unmoved[]> {
  const owners = [place.uin, place.secondaryUin ?? place.uin];
  return moveDocuments(await tools.documents.movesOf(merge, owners, place), tools);
}
