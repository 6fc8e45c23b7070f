import { earlierOutcome } from '../domain/imports/last-change.ts';
import type { Change } from '../domain/imports/parse-change.ts';
import { Fault } from '../model/faults.ts';
import { moveAll, movesOf } from '../registry/import/person-documents.ts';
import {
  type AtWork,
  isOwn,
  isRepeated,
  keptUntil,
  lastChangeOf,
  markOf,
  noteAllUnchanged,
  type Outcome,
} from './at-work.ts';
import { publishChange } from './publish-change.ts';

type Merge = Change & { readonly change: 'merge' };

const mostTries = 10;

/** Makes persons one: their documents become those of the one who is kept, and nobody has the others' UINs any more. */
export async function applyMerge(change: Merge, line: number, work: AtWork): Promise<Outcome> {
  const { keep, duplicates } = change;
  const all = [keep, ...duplicates];
  const { persons, now } = work.tools;
  const by = { importId: work.importId, line };
  for (let tries = 0; tries < mostTries; tries++) {
    const [isRepeat, kept = {}, ...others] = await Promise.all([
      isRepeated(change, by, work.tools),
      ...all.map((uin) => persons.changeable(uin, now())),
    ]);
    const [earlier] = [kept, ...others].flatMap(({ lastChange }) => earlierOutcome(lastChange, by) ?? []);
    if (earlier !== undefined) {
      if (earlier === 'applied' && kept.lastChange?.line === line) await follow(change, line, work);
      return earlier === 'applied' ? earlier : noteAllUnchanged(all, line, earlier, work);
    }
    if (isRepeat) return noteAllUnchanged(all, line, 'repeated', work);
    if (kept.attributes === undefined) return noteAllUnchanged(all, line, 'unknownKept', work);
    if (others.some(({ attributes }) => attributes === undefined)) {
      return noteAllUnchanged(all, line, 'unknownDuplicate', work);
    }
    if (change.publish && work.topic === undefined) return noteAllUnchanged(all, line, 'noTopic', work);
    if (!(await movesOf(change, work.tools)).isWhole) return noteAllUnchanged(all, line, 'unmovable', work);
    const changed = [
      { uin: keep, before: kept, after: kept.attributes, lastChange: lastChangeOf(keep, by, work, 'duplicatePerson') },
      ...duplicates.map((uin, at) => ({
        ...{ uin, before: others[at] ?? {}, after: undefined, mergedInto: keep },
        lastChange: lastChangeOf(uin, by, work),
      })),
    ];
    const applied = await persons.apply(changed, markOf(change, by, keep), now(), keptUntil(work.tools));
    if (applied.is === 'marked' && !isOwn(applied.by, by)) return noteAllUnchanged(all, line, 'repeated', work);
    if (applied.is !== 'outrun') {
      await follow(change, line, work);
      return 'applied';
    }
  }
  throw new Fault('personContended', { importId: work.importId, line });
}

/** What comes after a merge, also where the merge itself was made before. */
async function follow(change: Merge, line: number, { topic, importId, tools }: AtWork): Promise<void> {
  // Not before: of an import that is ended meanwhile, documents would be with one who is not the other, and both be there.
  const unmoved = await moveAll(change, tools);
  // A right that is lacking: once it is there, all go.
  const refused = unmoved.find((one) => one !== undefined);
  if (refused !== undefined) throw refused;
  if (unmoved.length > 0) tools.onUnmovable({ importId, line });
  if (!change.publish || topic === undefined) return;
  const event = { source: change.source, uin: change.keep, duplicates: change.duplicates };
  await publishChange(topic, 'duplicatePerson', event, { importId, line }, tools);
}
