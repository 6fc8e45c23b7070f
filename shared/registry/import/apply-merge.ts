import { formerUinsAfter, type LineOfImport } from '../../domain/imports/decide-change.ts';
import type { Change } from '../../domain/imports/parse-change.ts';
import { applyOnce, type CurrentImport, type Outcome } from './apply-once.ts';
import { publishChange } from './publish-change.ts';

type Merge = Change & { readonly change: 'merge' };

const event = 'duplicatePerson';

/** Merges persons: the UINs of the duplicates become former UINs of the kept person. Documents are found by them. */
export function applyMerge(change: Merge, by: LineOfImport, current: CurrentImport): Promise<Outcome> {
  const { keep, duplicates } = change;
  return applyOnce(change, by, current, {
    uins: [keep, ...duplicates],
    decide([kept = {}, ...others]) {
      if (kept.attributes === undefined) return { rejected: 'unknownKept' };
      if (others.some(({ attributes }) => attributes === undefined)) return { rejected: 'unknownDuplicate' };
      if (change.publish && current.topic === undefined) return { rejected: 'noTopic' };
      const merged = duplicates.map((uin, at) => ({ uin, before: others[at] ?? {}, after: undefined, keptUin: keep }));
      const formerUins = formerUinsAfter(kept, merged);
      if (formerUins === undefined) return { rejected: 'tooManyUins' };
      return { event, changes: [{ uin: keep, before: kept, after: kept.attributes, formerUins }, ...merged] };
    },
    runAfterEffects: () => publishChange(change, event, { uin: keep, duplicates }, by, current),
  });
}
