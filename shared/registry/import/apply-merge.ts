import { earlierOutcome } from '../../domain/imports/decide-change.ts';
import type { Change } from '../../domain/imports/parse-change.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import {
  type CurrentImport,
  isRepeated,
  isSameLine,
  keptUntil,
  lastChangeOf,
  markOf,
  type Outcome,
  recordAllUnchanged,
} from './current-import.ts';
import { moveMergedDocuments, planMoves } from './person-documents.ts';
import { publishChange } from './publish-change.ts';

type Merge = Change & { readonly change: 'merge' };

const maxTries = 10;

/** Merges persons: the kept person gets the documents, and the UINs of the duplicates are deleted. */
export async function applyMerge(change: Merge, line: number, current: CurrentImport): Promise<Outcome> {
  const { keep, duplicates } = change;
  const all = [keep, ...duplicates];
  const { persons, now } = current.tools;
  const by = { importId: current.importId, line };
  for (let tries = 0; tries < maxTries; tries++) {
    const [isRepeat, kept = {}, ...others] = await Promise.all([
      isRepeated(change, by, current.tools),
      ...all.map((uin) => persons.personState(uin, now())),
    ]);
    const [earlier] = [kept, ...others].flatMap(({ lastChange }) => earlierOutcome(lastChange, by) ?? []);
    if (earlier !== undefined) {
      if (earlier === 'applied' && kept.lastChange?.line === line) await runAfterEffects(change, line, current);
      return earlier === 'applied' ? earlier : recordAllUnchanged(all, line, earlier, current);
    }
    if (isRepeat) return recordAllUnchanged(all, line, 'repeated', current);
    if (kept.attributes === undefined) return recordAllUnchanged(all, line, 'unknownKept', current);
    if (others.some(({ attributes }) => attributes === undefined)) {
      return recordAllUnchanged(all, line, 'unknownDuplicate', current);
    }
    if (change.publish && current.topic === undefined) return recordAllUnchanged(all, line, 'noTopic', current);
    if (!(await planMoves(change, current.tools)).isWhole) return recordAllUnchanged(all, line, 'unmovable', current);
    const changed = [
      {
        uin: keep,
        before: kept,
        after: kept.attributes,
        lastChange: lastChangeOf(keep, by, current, 'duplicatePerson'),
      },
      ...duplicates.map((uin, at) => ({
        ...{ uin, before: others[at] ?? {}, after: undefined, mergedInto: keep },
        lastChange: lastChangeOf(uin, by, current),
      })),
    ];
    const applied = await persons.apply(changed, markOf(change, by, keep), now(), keptUntil(current.tools));
    if (applied.is === 'marked' && !isSameLine(applied.by, by))
      return recordAllUnchanged(all, line, 'repeated', current);
    if (applied.is !== 'conflict') {
      await runAfterEffects(change, line, current);
      return 'applied';
    }
  }
  throw new InternalError('personContended', { importId: current.importId, line });
}

/** Moves the documents of a merge and publishes its event. If the line is processed again, the move and the event are repeated. */
async function runAfterEffects(change: Merge, line: number, { topic, importId, tools }: CurrentImport): Promise<void> {
  // Documents move only after the merge is stored. If documents moved first and the import stopped, both persons would
  // still exist, with some documents stored under the wrong person.
  const unmoved = await moveMergedDocuments(change, tools);
  // S3 usually rejects a move because a permission is missing. The retry moves all documents.
  const rejected = unmoved.find((one) => one !== undefined);
  if (rejected !== undefined) throw rejected;
  if (unmoved.length > 0) tools.onUnmovable({ importId, line });
  if (!change.publish || topic === undefined) return;
  const event = { source: change.source, uin: change.keep, duplicates: change.duplicates };
  await publishChange(topic, 'duplicatePerson', event, { importId, line }, tools);
}
