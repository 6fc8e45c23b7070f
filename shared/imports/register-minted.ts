import type { LineOfImport, Mark } from '../domain/imports/last-change.ts';
import type { Change } from '../domain/imports/parse-change.ts';
import { claimUin } from '../domain/persons/claim-uin.ts';
import { type AtWork, isOwn, keptUntil, lastChangeOf, markOf, type Outcome, registeredBy } from './at-work.ts';
import { publishChange } from './publish-change.ts';

/** Registers a person under a number that is minted: the mark of the line, or of its id, says under which it was. */
export async function registerMinted(
  change: Change & { readonly change: 'register' },
  line: number,
  work: AtWork,
): Promise<Outcome> {
  const { persons, randomBytes, settings, now } = work.tools;
  if (change.publish && work.topic === undefined) return 'noTopic';
  const by = { importId: work.importId, line };
  let earlier: (LineOfImport & { readonly uin: string }) | undefined;
  const uin = await claimUin(settings.uinLength, randomBytes, async (uin) => {
    const mark: Mark = markOf(change, by, uin) ?? { ...by, id: `line ${by.importId} ${line}`, uin };
    const lastChange = lastChangeOf(uin, by, work, 'newPerson');
    const person = { uin, before: {}, after: change.attributes, lastChange, registered: registeredBy(work) };
    const applied = await persons.apply([{ ...person, isDrawn: true }], mark, now(), keptUntil(work.tools));
    if (applied.is === 'marked') earlier = applied.by;
    if (applied.is === 'marked') return { is: 'replayed', uin: applied.by.uin };
    return { is: applied.is === 'done' ? 'minted' : 'taken' };
  });
  if (earlier !== undefined && !isOwn(earlier, by)) return 'repeated';
  if (change.publish && work.topic !== undefined) {
    await publishChange(work.topic, 'newPerson', { source: change.source, uin }, by, work.tools);
  }
  return 'applied';
}
