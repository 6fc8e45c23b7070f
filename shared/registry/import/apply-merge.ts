import { earlierOutcome, formerUinsAfter } from '../../domain/imports/decide-change.ts';
import type { Change } from '../../domain/imports/parse-change.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import {
  applying,
  type CurrentImport,
  isRepeated,
  isSameLine,
  lastChangeOf,
  markOf,
  type Outcome,
  recordAllUnchanged,
} from './current-import.ts';
import { publishChange } from './publish-change.ts';

type Merge = Change & { readonly change: 'merge' };

const maxTries = 10;

/** Merges persons: the UINs of the duplicates become former UINs of the kept person. Documents are found by them. */
export async function applyMerge(change: Merge, line: number, current: CurrentImport): Promise<Outcome> {
  const { keep, duplicates } = change;
  const all = [keep, ...duplicates];
  const { persons, hashUin } = current.tools;
  const by = { importId: current.importId, line };
  for (let tries = 0; tries < maxTries; tries++) {
    const [isRepeat, kept = {}, ...others] = await Promise.all([
      isRepeated(change, by, current.tools),
      ...all.map((uin) => persons.personState(uin, hashUin(uin))),
    ]);
    const [earlier] = [kept, ...others].flatMap(({ lastChange }) => earlierOutcome(lastChange, by) ?? []);
    if (earlier !== undefined) {
      if (earlier === 'applied' && kept.lastChange?.line === line) await publishMerge(change, line, current);
      return earlier === 'applied' ? earlier : recordAllUnchanged(all, line, earlier, current);
    }
    if (isRepeat) return recordAllUnchanged(all, line, 'repeated', current);
    if (kept.attributes === undefined) return recordAllUnchanged(all, line, 'unknownKept', current);
    if (others.some(({ attributes }) => attributes === undefined)) {
      return recordAllUnchanged(all, line, 'unknownDuplicate', current);
    }
    if (change.publish && current.topic === undefined) return recordAllUnchanged(all, line, 'noTopic', current);
    const merged = duplicates.map((uin, at) => ({ uin, before: others[at] ?? {} }));
    const formerUins = formerUinsAfter(kept, merged);
    if (formerUins === undefined) return recordAllUnchanged(all, line, 'tooManyUins', current);
    const event = 'duplicatePerson';
    const changed = [
      {
        ...{ uin: keep, before: kept, after: kept.attributes, formerUins },
        lastChange: lastChangeOf(keep, by, current, event),
      },
      ...merged.map((one) => ({
        ...{ ...one, after: undefined, keptUin: keep },
        lastChange: lastChangeOf(one.uin, by, current),
      })),
    ];
    const applied = await persons.apply(changed, markOf(change, by, keep), applying(current.tools));
    if (applied.is === 'marked' && !isSameLine(applied.by, by))
      return recordAllUnchanged(all, line, 'repeated', current);
    if (applied.is !== 'conflict') {
      await publishMerge(change, line, current);
      return 'applied';
    }
  }
  throw new InternalError('personContended', { importId: current.importId, line });
}

/** Publishes the event about a merge. If the line is processed again, the event is published again. */
async function publishMerge(change: Merge, line: number, { topic, importId, tools }: CurrentImport): Promise<void> {
  if (!change.publish || topic === undefined) return;
  const event = { source: change.source, uin: change.keep, duplicates: change.duplicates };
  await publishChange(topic, 'duplicatePerson', event, { importId, line }, tools);
}
