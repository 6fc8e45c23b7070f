import { pastOf } from '../domain/imports/last-change.ts';
import type { Change } from '../domain/imports/parse-change.ts';
import { Fault } from '../model/faults.ts';
import { type AtWork, isOwn, isRepeated, keptUntil, lastChangeOf, markOf, type Outcome, passAll } from './at-work.ts';
import { movesOf } from './documents-of-two.ts';
import { publishChange } from './publish-change.ts';

type Merge = Change & { readonly change: 'merge' };

const mostTries = 10;

/** Makes persons one: their documents become those of the one who is kept, and nobody has the others' UINs any more. */
export async function applyMerge(change: Merge, line: number, work: AtWork): Promise<Outcome> {
  const { keep, duplicates } = change;
  const all = [keep, ...duplicates];
  const { persons, documents, now } = work.tools;
  const by = { importId: work.importId, line };
  for (let tries = 0; tries < mostTries; tries++) {
    const [isRepeat, kept = {}, ...others] = await Promise.all([
      isRepeated(change, by, work.tools),
      ...all.map((uin) => persons.changeable(uin, now())),
    ]);
    const [past] = [kept, ...others].flatMap(({ lastChange }) => pastOf(lastChange, by) ?? []);
    if (past !== undefined) {
      if (past === 'applied' && kept.lastChange?.line === line) await publish(change, line, work);
      return past === 'applied' ? past : passAll(all, line, past, work);
    }
    if (isRepeat) return passAll(all, line, 'repeated', work);
    if (kept.attributes === undefined) return passAll(all, line, 'unknownKept', work);
    if (others.some(({ attributes }) => attributes === undefined)) {
      return passAll(all, line, 'unknownDuplicate', work);
    }
    if (change.publish && work.topic === undefined) return passAll(all, line, 'noTopic', work);
    const moves = await movesOf(change, work.tools);
    if (moves === undefined) return passAll(all, line, 'unmovable', work);
    // Before the persons go: else nobody would find what a run that dies has left.
    await documents.move(moves);
    const changed = [
      { uin: keep, before: kept, after: kept.attributes, lastChange: lastChangeOf(keep, by, work, 'duplicatePerson') },
      ...duplicates.map((uin, at) => ({
        ...{ uin, before: others[at] ?? {}, after: undefined },
        lastChange: lastChangeOf(uin, by, work),
      })),
    ];
    const applied = await persons.apply(changed, markOf(change, by, keep), now(), keptUntil(work.tools));
    if (applied.is === 'marked' && !isOwn(applied.by, by)) return passAll(all, line, 'repeated', work);
    if (applied.is !== 'outrun') {
      await publish(change, line, work);
      return 'applied';
    }
  }
  throw new Fault('personContended', { importId: work.importId, line });
}

async function publish(change: Merge, line: number, { topic, importId, tools }: AtWork): Promise<void> {
  if (!change.publish || topic === undefined) return;
  const event = { source: change.source, uin: change.keep, duplicates: change.duplicates };
  await publishChange(topic, 'duplicatePerson', event, { importId, line }, tools);
}
