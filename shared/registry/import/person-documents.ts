import { type DocumentPlace, linksAmong } from '../../domain/documents/document-place.ts';
import type { Merge } from '../../domain/documents/moved-names.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { Move, Unmoved } from '../../storage/documents/move.ts';
import type { ImportTools } from './import-tools.ts';

export interface MovingTools extends Pick<ImportTools, 'documents' | 'newId'> {
  readonly documentLinks: Pick<ImportTools['documentLinks'], 'put'>;
}

interface DocumentTools extends Pick<ImportTools, 'documents' | 'documentLinks' | 'renditions' | 'now' | 'newId'> {
  readonly persons: Pick<ImportTools['persons'], 'resolveUin' | 'keepTombstone'>;
}

const writesAtOnce = 10;

/**
 * Removes a deleted person's documents and their renditions. A document about two persons stays until both are deleted;
 * a merged person counts as deleted when the kept person is deleted. Documents under an unknown UIN stay, because the
 * UIN may be registered later. If documents stay, the tombstone never expires: a later removal finds it, and its UIN is not reissued.
 * @returns the number of remaining documents under unknown UINs
 */
export async function removeDocuments(uin: string, tools: DocumentTools): Promise<number> {
  const { documents, documentLinks, renditions, persons, now } = tools;
  const whoIs = async (other: string) => (await persons.resolveUin(other, now())).is;
  const removeRenditions = (key: string): Promise<void> => renditions.removeOf(key);
  let [isLeft, unknown] = [false, 0];
  const isKept = async (second: string): Promise<boolean> => {
    const is = await whoIs(second);
    isLeft ||= is === 'registered';
    return is === 'registered';
  };
  await documents.removeUnder(uin, isKept, removeRenditions);
  for (const link of await documentLinks.list(uin)) {
    const is = await whoIs(link.uin);
    if (is === 'deleted') await documents.removeAt(link, removeRenditions);
    else isLeft = true;
    if (is === 'unknown') unknown += 1;
  }
  if (isLeft) await persons.keepTombstone(uin);
  return unknown;
}

/** Plans the moves of the duplicates' documents, including documents stored under other persons. */
export async function planMoves(merge: Merge, { documents, documentLinks }: DocumentTools) {
  const links = await Promise.all([merge.keep, ...merge.duplicates].map((uin) => documentLinks.list(uin)));
  return documents.planMoves(
    merge,
    links.flat().map(({ uin }) => uin),
  );
}

/** Moves documents as planned. Safe to repeat. @returns the reasons why documents were not moved */
async function moveDocuments(
  { moves, isWhole }: { readonly moves: readonly Move[]; readonly isWhole: boolean },
  tools: MovingTools,
): Promise<readonly Unmoved[]> {
  // Links are written before documents move, because the next line may concern a linked person.
  await linkTargets(moves, tools);
  const unmoved = await tools.documents.move(moves);
  // Links are written again, because the `linkDocuments` worker may have removed them before the move.
  await linkTargets(moves, tools);
  return isWhole ? unmoved : [undefined, ...unmoved];
}

async function linkTargets(moves: readonly Move[], { documentLinks, newId }: MovingTools): Promise<void> {
  for (const links of inParts(linksAmong(moves.map(({ place }) => place)), writesAtOnce)) {
    await Promise.all(links.map((link) => documentLinks.put(link, newId())));
  }
}

/** Moves all documents that a merge affects. Returns the reasons why documents were not moved. */
export const moveMergedDocuments = async (merge: Merge, tools: DocumentTools): Promise<readonly Unmoved[]> =>
  moveDocuments(await planMoves(merge, tools), tools);

export async function moveDocumentsAt(
  place: DocumentPlace,
  merge: Merge,
  tools: MovingTools,
): Promise<readonly Unmoved[]> {
  const owners = [place.uin, place.secondaryUin ?? place.uin];
  return moveDocuments(await tools.documents.planMoves(merge, owners, place), tools);
}
