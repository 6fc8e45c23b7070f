import { type DocumentPlace, folderOf } from '../../domain/documents/document-place.ts';
import type { Merge } from '../../domain/documents/moved-names.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { Unmoved } from '../../storage/documents/move.ts';
import type { documents } from '../../storage/documents/store.ts';
import type { ImportTools } from './import-tools.ts';
import { type MovingTools, moveFrom } from './person-documents.ts';

interface Tools extends MovingTools, Pick<ImportTools, 'renditions' | 'now'> {
  readonly documents: MovingTools['documents'] & ReturnType<typeof documents.permissions.look>;
  readonly persons: Pick<ImportTools['persons'], 'whereabouts'>;
}

/** A place of which S3 did not move all documents, and why, of one of them. */
interface Unmovable {
  readonly place: DocumentPlace;
  readonly why: Unmoved;
}

interface Unsettled {
  readonly place: DocumentPlace;
  /** None: its people are gone for good. */
  readonly merges: readonly Merge[];
}

const placesAtOnce = 50;

async function unsettled(place: DocumentPlace, { persons, now }: Tools): Promise<Unsettled[]> {
  const people = [...new Set([place.uin, place.secondaryUin ?? place.uin])];
  const found = await Promise.all(people.map(async (uin) => ({ uin, where: await persons.whereabouts(uin, now()) })));
  const merged = found.flatMap(({ uin, where }) =>
    where.is === 'there' && where.uin !== uin ? [{ keep: where.uin, uin }] : [],
  );
  const merges = [...Map.groupBy(merged, ({ keep }) => keep)].map(
    ([keep, those]): Merge => ({ keep, duplicates: those.map(({ uin }) => uin) }),
  );
  // Whom nobody knows may be registered yet.
  const isLeft = found.every(({ where }) => where.is === 'gone');
  return merges.length > 0 || isLeft ? [{ place, merges }] : [];
}

/**
 * Has documents follow people who are gone, as the import did that merged or removed them: those that it could not see, because
 * S3 told of them later, or because they were put later. They go to the one who was kept, or with the last of their people.
 * Again it goes on where it was.
 * @returns how many folders of documents went with the last of their people, and those that could not be moved, or not all of them
 */
export async function settleDocuments(
  places: readonly DocumentPlace[],
  tools: Tools,
): Promise<{ readonly removed: number; readonly unmovable: readonly Unmovable[] }> {
  let removed = 0;
  const unmovable: Unmovable[] = [];
  const each = [...new Map(places.map((place) => [folderOf(place), place])).values()];
  for (const some of inParts(each, placesAtOnce)) {
    const found = (await Promise.all(some.map((place) => unsettled(place, tools)))).flat();
    // One after the other: two may go to one place.
    for (const { place, merges } of found) {
      if (!(await tools.documents.isAt(place))) continue;
      if (merges.length === 0) {
        await tools.documents.removeAt(place, (key) => tools.renditions.removeOf(key));
        removed += 1;
      }
      for (const merge of merges) {
        const unmoved = await moveFrom(place, merge, tools);
        if (unmoved.length > 0) unmovable.push({ place, why: unmoved.find((one) => one !== undefined) });
      }
    }
  }
  return { removed, unmovable };
}
