import { type DocumentPlace, folderOf } from '../../domain/documents/document-place.ts';
import type { Merge } from '../../domain/documents/moved-names.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { Unmoved } from '../../storage/documents/move.ts';
import type { documents } from '../../storage/documents/store.ts';
import type { ImportTools } from './import-tools.ts';
import { type MovingTools, moveDocumentsAt } from './person-documents.ts';

interface Tools extends MovingTools, Pick<ImportTools, 'renditions' | 'now'> {
  readonly documents: MovingTools['documents'] & ReturnType<typeof documents.permissions.inspect>;
  readonly persons: Pick<ImportTools['persons'], 'resolveUin'>;
}

interface Unmovable {
  readonly place: DocumentPlace;
  readonly why: Unmoved;
}

interface LateDocuments {
  readonly place: DocumentPlace;
  /** Empty if all persons whom the document concerns are deleted. */
  readonly merges: readonly Merge[];
}

const placesAtOnce = 50;

async function lateDocumentsAt(place: DocumentPlace, { persons, now }: Tools): Promise<LateDocuments[]> {
  const people = [...new Set([place.uin, place.secondaryUin ?? place.uin])];
  const found = await Promise.all(people.map(async (uin) => ({ uin, where: await persons.resolveUin(uin, now()) })));
  const merged = found.flatMap(({ uin, where }) =>
    where.is === 'registered' && where.uin !== uin ? [{ keep: where.uin, uin }] : [],
  );
  const merges = [...Map.groupBy(merged, ({ keep }) => keep)].map(
    ([keep, those]): Merge => ({ keep, duplicates: those.map(({ uin }) => uin) }),
  );
  const isLeft = found.every(({ where }) => where.is === 'deleted');
  return merges.length > 0 || isLeft ? [{ place, merges }] : [];
}

/**
 * Moves documents to the kept person of a merge, or removes documents whose persons are all deleted. Handles documents
 * that arrived after the import or were not linked when it ran. Safe to repeat.
 * @returns the number of removed folders, and the locations whose documents could not all be moved
 */
export async function moveLateDocuments(
  places: readonly DocumentPlace[],
  tools: Tools,
): Promise<{ readonly removed: number; readonly unmovable: readonly Unmovable[] }> {
  let removed = 0;
  const unmovable: Unmovable[] = [];
  const each = [...new Map(places.map((place) => [folderOf(place), place])).values()];
  for (const some of inParts(each, placesAtOnce)) {
    const found = (await Promise.all(some.map((place) => lateDocumentsAt(place, tools)))).flat();
    // Moves run one after another, because documents from two locations may have the same target.
    for (const { place, merges } of found) {
      if (!(await tools.documents.isAt(place))) continue;
      if (merges.length === 0) {
        await tools.documents.removeAt(place, (key) => tools.renditions.removeOf(key));
        removed += 1;
      }
      for (const merge of merges) {
        const unmoved = await moveDocumentsAt(place, merge, tools);
        if (unmoved.length > 0) unmovable.push({ place, why: unmoved.find((one) => one !== undefined) });
      }
    }
  }
  return { removed, unmovable };
}
