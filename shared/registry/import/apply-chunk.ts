import {
  decideChange,
  formerUinsAfter,
  type LineOfImport,
  type Mark,
  type SinglePersonChange,
} from '../../domain/imports/decide-change.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { Change } from '../../domain/imports/parse-change.ts';
import { mintUin } from '../../domain/persons/mint-uin.ts';
import {
  applying,
  applyOnce,
  type CurrentImport,
  type CurrentLine,
  expiresAt,
  isSameLine,
  lastChangeOf,
  markOf,
  type Outcome,
  publishChange,
  registeredBy,
} from './apply-once.ts';
import { removeDocuments } from './person-documents.ts';
import type { ChunkLine } from './read-chunk.ts';

/**
 * Registers a person under a newly generated UIN. If the line is processed again, the marker in the table contains the
 * same UIN.
 */
async function registerMinted(change: Extract<Change, { change: 'register' }>, current: CurrentLine): Promise<Outcome> {
  const { by, topic, tools } = current;
  const { personChanges, randomDigit, settings } = tools;
  if (change.publish && topic === undefined) return 'noTopic';
  let earlier: LineOfImport | undefined;
  const uin = await mintUin(settings.uinLength, randomDigit, async (uin) => {
    const mark: Mark = markOf(change, current, uin) ?? { ...by, id: `line ${by.importId} ${by.line}`, uin };
    const lastChange = lastChangeOf(uin, current, 'newPerson');
    const person = { uin, before: {}, after: change.attributes, lastChange, registered: registeredBy(current) };
    const applied = await personChanges.apply([{ ...person, isMinted: true }], mark, applying(tools));
    if (applied.is !== 'marked') return { is: applied.is === 'done' ? 'minted' : 'taken' };
    earlier = applied.by;
    return { is: 'replayed', uin: applied.by.uin };
  });
  if (earlier !== undefined && !isSameLine(earlier, by)) return 'repeated';
  await publishChange(change, 'newPerson', { uin }, current);
  return 'applied';
}

/** Applies a line about one person. */
function applyToPerson(change: SinglePersonChange, current: CurrentLine): Promise<Outcome> {
  const { uin } = change;
  const { by, tools } = current;
  return applyOnce(change, current, {
    uins: [uin],
    decide([before = {}]) {
      const decided = decideChange(change, before);
      if ('rejected' in decided) return decided;
      const { after, event } = decided;
      return { event, changes: [{ uin, before, after, registered: registeredBy(current) }] };
    },
    /** Removes a deleted person's documents and publishes the event. Both steps may be repeated. */
    async runAfterEffects({ formerUins = [] }, event) {
      if (change.change === 'remove') {
        for (const former of formerUins) await tools.personChanges.expireFormer(former, expiresAt(tools));
        const left = await removeDocuments([uin, ...formerUins], tools);
        if (left > 0) tools.onDocumentsLeft(left, by);
      }
      await publishChange(change, event, { uin }, current);
    },
  });
}

const event = 'duplicatePerson';

/** Merges persons: the UINs of the duplicates become former UINs of the kept person. Documents are found by them. */
function applyMerge(change: Extract<Change, { change: 'merge' }>, current: CurrentLine): Promise<Outcome> {
  const { keep, duplicates } = change;
  return applyOnce(change, current, {
    uins: [keep, ...duplicates],
    decide([kept = {}, ...others]) {
      if (kept.attributes === undefined) return { rejected: 'unknownKept' };
      if (others.some(({ attributes }) => attributes === undefined)) return { rejected: 'unknownDuplicate' };
      const merged = duplicates.map((uin, at) => ({ uin, before: others[at] ?? {}, after: undefined, keptUin: keep }));
      const formerUins = formerUinsAfter(kept, merged);
      if (formerUins === undefined) return { rejected: 'tooManyUins' };
      return { event, changes: [{ uin: keep, before: kept, after: kept.attributes, formerUins }, ...merged] };
    },
    runAfterEffects: () => publishChange(change, event, { uin: keep, duplicates }, current),
  });
}

type Readable = Extract<ChunkLine, { change: Change }>;

async function apply({ change, line }: Readable, importing: CurrentImport): Promise<Outcome> {
  const current = { ...importing, by: { importId: importing.importId, line } };
  if (change.change === 'merge') return applyMerge(change, current);
  const { uin } = change;
  if (change.change === 'register' && uin === undefined) return registerMinted(change, current);
  return applyToPerson({ ...change, uin: String(uin) }, current);
}

/**
 * Applies lines about different persons in parallel. An error for one person does not stop the lines about other
 * persons.
 */
async function applyGroups(
  lines: readonly Readable[],
  outcomes: Map<number, Outcome>,
  current: CurrentImport,
): Promise<void> {
  const rest = Map.groupBy(lines, ({ change, line }) => ('uin' in change && change.uin) || line).values();
  const applyRest = async (): Promise<void> => {
    for (const group of rest) {
      for (const one of group) outcomes.set(one.line, await apply(one, current));
    }
  };
  const done = await Promise.allSettled(Array.from({ length: importLimits.personsAtOnce }, applyRest));
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

/** Applies a chunk. Lines about the same person are applied in order, and a merge waits for all earlier lines. */
export async function applyChunk(
  lines: readonly ChunkLine[],
  current: CurrentImport,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  let beside: Readable[] = [];
  for (const one of lines.filter((line) => 'change' in line)) {
    if (one.change.change === 'merge') {
      await applyGroups(beside, outcomes, current);
      await applyGroups([one], outcomes, current);
      beside = [];
    } else beside.push(one);
  }
  await applyGroups(beside, outcomes, current);
  return outcomes;
}
