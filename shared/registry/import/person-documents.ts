import type { linkDocuments } from '../../contract/workers/registry-workers.ts';
import type { Tools } from '../../delivery/tools.ts';
import { type DocumentPlace, folderOf } from '../../domain/documents/document-place.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { ImportTools } from './import-tools.ts';

type LateTools = Tools<(typeof linkDocuments)['uses'][number]> & Pick<ImportTools, 'hashUin'>;

const placesAtOnce = 50;

/**
 * Removes a deleted person's documents and their renditions. A document about two persons is kept while the other
 * person is registered. A document under an unknown UIN is also kept, because the UIN may be registered later.
 * @param uins the UIN and the former UINs of the person
 * @returns the number of remaining documents under unknown UINs
 */
export async function removeDocuments(
  uins: readonly string[],
  { documents, documentLinks, renditions, personChanges, hashUin }: ImportTools,
): Promise<number> {
  const stateOf = (uin: string) => personChanges.stateOf(uin, hashUin(uin));
  let unknown = 0;
  for (const uin of uins) {
    await documents.removeUnder(uin, async (second) => (await stateOf(second)) === 'registered', renditions.removeOf);
    for (const link of await documentLinks.list(uin)) {
      const state = await stateOf(link.uin);
      if (state === 'deleted') await documents.removeAt(link, renditions.removeOf);
      if (state === 'unknown') unknown += 1;
    }
  }
  return unknown;
}

/**
 * Removes documents that arrived after their persons were deleted. The rules of `removeDocuments` apply.
 * @returns the number of removed folders
 */
export async function removeLateDocuments(places: readonly DocumentPlace[], tools: LateTools): Promise<number> {
  const { documents, renditions, personChanges, hashUin } = tools;
  const stateOf = (uin: string) => personChanges.stateOf(uin, hashUin(uin));
  const removeAt = async (place: DocumentPlace): Promise<number> => {
    const { uin, secondaryUin = uin } = place;
    if ((await stateOf(uin)) !== 'deleted' || (await stateOf(secondaryUin)) === 'registered') return 0;
    if (!(await documents.isAt(place))) return 0;
    await documents.removeAt(place, renditions.removeOf);
    return 1;
  };
  let removed = 0;
  const each = [...new Map(places.map((place) => [folderOf(place), place])).values()];
  for (const some of inParts(each, placesAtOnce)) {
    for (const count of await Promise.all(some.map(removeAt))) removed += count;
  }
  return removed;
}
