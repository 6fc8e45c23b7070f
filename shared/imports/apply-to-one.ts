import { type ChangeOfOne, decideChange } from '../domain/imports/decide-change.ts';
import { earlierOutcome, type LineOfImport } from '../domain/imports/last-change.ts';
import type { EventType } from '../domain/topics/event.ts';
import { Fault } from '../model/faults.ts';
import { removeDocuments } from '../registry/import/person-documents.ts';
import {
  type AtWork,
  isOwn,
  isRepeated,
  keptUntil,
  lastChangeOf,
  markOf,
  noteUnchanged,
  type Outcome,
  registeredBy,
} from './at-work.ts';
import { publishChange } from './publish-change.ts';

// One import has its turn at a time: others change a person hardly ever in the same moment.
const mostTries = 10;

/** Applies a line about one person, once however often it comes. */
export async function applyToOne(change: ChangeOfOne, line: number, work: AtWork): Promise<Outcome> {
  const { persons, now } = work.tools;
  const by = { importId: work.importId, line };
  const { uin } = change;
  for (let tries = 0; tries < mostTries; tries++) {
    const [before, isRepeat] = await Promise.all([persons.changeable(uin, now()), isRepeated(change, by, work.tools)]);
    const earlier = earlierOutcome(before.lastChange, by);
    if (earlier !== undefined) {
      if (earlier === 'applied' && before.lastChange?.line === line)
        await follow(change, by, before.lastChange.event, work);
      return earlier === 'applied' ? earlier : noteUnchanged(uin, line, earlier, work);
    }
    if (isRepeat) return noteUnchanged(uin, line, 'repeated', work);
    const decided = decideChange(change, before);
    if ('refused' in decided) return noteUnchanged(uin, line, decided.refused, work);
    if (change.publish && work.topic === undefined) return noteUnchanged(uin, line, 'noTopic', work);
    const lastChange = lastChangeOf(uin, by, work, decided.event);
    const person = { uin, before, after: decided.after, lastChange, registered: registeredBy(work) };
    const applied = await persons.apply([person], markOf(change, by, uin), now(), keptUntil(work.tools));
    if (applied.is === 'marked' && !isOwn(applied.by, by)) return noteUnchanged(uin, line, 'repeated', work);
    // Marked by this very line: our own write, whose answer was lost.
    if (applied.is !== 'outrun') {
      await follow(change, by, decided.event, work);
      return 'applied';
    }
  }
  throw new Fault('personContended', { importId: work.importId, line });
}

/** What comes after a change, also where the change itself was made before. */
async function follow(
  change: ChangeOfOne,
  by: LineOfImport,
  event: EventType | undefined,
  work: AtWork,
): Promise<void> {
  const left = change.change === 'remove' ? await removeDocuments(change.uin, work.tools) : 0;
  if (left > 0) work.tools.onDocumentsLeft(left, by);
  if (!change.publish || event === undefined || work.topic === undefined) return;
  await publishChange(work.topic, event, { source: change.source, uin: change.uin }, by, work.tools);
}
