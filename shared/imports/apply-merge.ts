import { pastOf } from '../domain/imports/last-change.ts';
import type { Change } from '../domain/imports/parse-change.ts';
import { Fault } from '../model/faults.ts';
import { type AtWork, isOwn, keptUntil, lastChangeOf, markOf, type Outcome, pass } from './at-work.ts';
import { publishChange } from './publish-change.ts';

type Merge = Change & { readonly change: 'merge' };

const mostTries = 10;

/** Makes persons one: their documents become those of the one who is kept, and nobody has the others' UINs any more. */
export async function applyMerge(change: Merge, line: number, work: AtWork): Promise<Outcome> {
  const { keep, duplicates } = change;
  const { persons, documents, now } = work.tools;
  const by = { importId: work.importId, line };
  for (let tries = 0; tries < mostTries; tries++) {
    const [kept = {}, ...others] = await Promise.all([keep, ...duplicates].map((uin) => persons.changeable(uin)));
    const past = pastOf(kept.lastChange, by);
    if (past !== undefined) {
      if (past === 'applied' && kept.lastChange?.line === line) await publish(change, line, work);
      return past === 'applied' ? past : pass(keep, line, past, work);
    }
    if (kept.attributes === undefined) return pass(keep, line, 'unknownKept', work);
    if (others.some(({ attributes }) => attributes === undefined)) return pass(keep, line, 'unknownDuplicate', work);
    if (change.publish && work.topic === undefined) return pass(keep, line, 'noTopic', work);
    // Before the persons go: else nobody would find what a run that dies has left.
    for (const uin of duplicates) await documents.moveAll(uin, keep);
    const changed = [
      { uin: keep, before: kept, after: kept.attributes, lastChange: lastChangeOf(keep, by, work, 'duplicatePerson') },
      ...duplicates.map((uin, at) => ({
        ...{ uin, before: others[at] ?? {}, after: undefined },
        lastChange: lastChangeOf(uin, by, work),
      })),
    ];
    const applied = await persons.apply(changed, markOf(change, by, keep), now(), keptUntil(now()));
    if (applied.is === 'marked' && !isOwn(applied.by, by)) return pass(keep, line, 'repeated', work);
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
