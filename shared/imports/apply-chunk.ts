import { importLimits } from '../domain/imports/import-limits.ts';
import type { Change } from '../domain/imports/parse-change.ts';
import type { ChunkLine } from '../registry/import/read-chunk.ts';
import { applyMerge } from './apply-merge.ts';
import { applyToOne } from './apply-to-one.ts';
import type { AtWork, Outcome } from './at-work.ts';
import { registerMinted } from './register-minted.ts';

type Readable = Extract<ChunkLine, { change: Change }>;

const isReadable = (line: ChunkLine): line is Readable => 'change' in line;

/** Lines that must be applied one after the other: those about one person. */
const groupsOf = (lines: readonly Readable[]): Readable[][] => [
  ...Map.groupBy(lines, ({ change, line }) => ('uin' in change && change.uin) || line).values(),
];

async function apply({ change, line }: Readable, work: AtWork): Promise<Outcome> {
  if (change.change === 'merge') return applyMerge(change, line, work);
  const { uin } = change;
  if (change.change === 'register' && uin === undefined) return registerMinted(change, line, work);
  return applyToOne({ ...change, uin: String(uin) }, line, work);
}

/** Applies lines, those about different persons side by side. What fails lets the others end first. */
async function applyGroups(lines: readonly Readable[], outcomes: Map<number, Outcome>, work: AtWork): Promise<void> {
  const rest = groupsOf(lines)[Symbol.iterator]();
  const applyRest = async (): Promise<void> => {
    for (const group of rest) {
      for (const one of group) outcomes.set(one.line, await apply(one, work));
    }
  };
  const done = await Promise.allSettled(Array.from({ length: importLimits.personsAtOnce }, applyRest));
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

/** Applies the lines of a chunk, in order where they are about the same person. A merge waits for all before it. */
export async function applyChunk(lines: readonly ChunkLine[], work: AtWork): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  let beside: Readable[] = [];
  for (const one of lines.filter(isReadable)) {
    if (one.change.change !== 'merge') {
      beside.push(one);
      continue;
    }
    await applyGroups(beside, outcomes, work);
    await applyGroups([one], outcomes, work);
    beside = [];
  }
  await applyGroups(beside, outcomes, work);
  return outcomes;
}
