import {
  decideChange,
  earlierOutcome,
  type LineOfImport,
  type PersonState,
  type SinglePersonChange,
} from '../../domain/imports/decide-change.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import type { EventType } from '../../domain/topics/event.ts';
import {
  applying,
  type CurrentImport,
  expiresAt,
  isRepeated,
  isSameLine,
  lastChangeOf,
  markOf,
  type Outcome,
  recordUnchanged,
  registeredBy,
} from './current-import.ts';
import { removeDocuments } from './person-documents.ts';
import { publishChange } from './publish-change.ts';

// Only one import runs at a time, so conflicts are rare.
const maxTries = 10;

/** Applies a line about one person exactly once, even if the line is processed again. */
export async function applyToPerson(
  change: SinglePersonChange,
  line: number,
  current: CurrentImport,
): Promise<Outcome> {
  const { persons, hashUin } = current.tools;
  const by = { importId: current.importId, line };
  const { uin } = change;
  for (let tries = 0; tries < maxTries; tries++) {
    const [before, isRepeat] = await Promise.all([
      persons.personState(uin, hashUin(uin)),
      isRepeated(change, by, current.tools),
    ]);
    const earlier = earlierOutcome(before.lastChange, by);
    if (earlier !== undefined) {
      if (earlier === 'applied' && before.lastChange?.line === line)
        await runAfterEffects(change, by, before, before.lastChange.event, current);
      return earlier === 'applied' ? earlier : recordUnchanged(uin, line, earlier, current);
    }
    if (isRepeat) return recordUnchanged(uin, line, 'repeated', current);
    const decided = decideChange(change, before);
    if ('rejected' in decided) return recordUnchanged(uin, line, decided.rejected, current);
    if (change.publish && current.topic === undefined) return recordUnchanged(uin, line, 'noTopic', current);
    const lastChange = lastChangeOf(uin, by, current, decided.event);
    const person = { uin, before, after: decided.after, lastChange, registered: registeredBy(current) };
    const applied = await persons.apply([person], markOf(change, by, uin), applying(current.tools));
    if (applied.is === 'marked' && !isSameLine(applied.by, by)) return recordUnchanged(uin, line, 'repeated', current);
    // If the same line wrote the marker, an earlier write succeeded although its response was lost.
    if (applied.is !== 'conflict') {
      await runAfterEffects(change, by, before, decided.event, current);
      return 'applied';
    }
  }
  throw new InternalError('personContended', { importId: current.importId, line });
}

/** Removes a deleted person's documents and publishes the event. Both steps may be repeated. */
async function runAfterEffects(
  change: SinglePersonChange,
  by: LineOfImport,
  { formerUins = [] }: PersonState,
  event: EventType | undefined,
  current: CurrentImport,
): Promise<void> {
  if (change.change === 'remove') {
    for (const uin of formerUins) await current.tools.persons.expireFormer(uin, expiresAt(current.tools));
    const left = await removeDocuments([change.uin, ...formerUins], current.tools);
    if (left > 0) current.tools.onDocumentsLeft(left, by);
  }
  if (!change.publish || event === undefined || current.topic === undefined) return;
  await publishChange(current.topic, event, { source: change.source, uin: change.uin }, by, current.tools);
}
