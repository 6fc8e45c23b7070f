import type { ImportCounts } from '../domain/imports/import-state.ts';
import { lateRefusals } from '../domain/imports/late-refusals.ts';
import type { LineRefusal } from '../model/imports/change.ts';
import type { ChunkLine } from '../registry/import/read-chunk.ts';
import type { Outcome } from './at-work.ts';

/** Why each line was refused that was. */
export function refusedOf(
  lines: readonly ChunkLine[],
  outcomes: ReadonlyMap<number, Outcome>,
): (LineRefusal & { readonly line: number })[] {
  return lines.flatMap((one) => {
    const { line } = one;
    if ('refused' in one) return [{ line, ...one.refused }];
    const outcome = outcomes.get(line);
    if (outcome === undefined || outcome === 'applied' || outcome === 'repeated') return [];
    return [{ line, ...lateRefusals[outcome] }];
  });
}

/** The counts of an import after some more lines. */
export function countLines(
  before: ImportCounts,
  lines: readonly ChunkLine[],
  outcomes: ReadonlyMap<number, Outcome>,
): ImportCounts {
  const applied = { ...before.applied };
  let repeated = before.repeated;
  for (const one of lines) {
    const outcome = outcomes.get(one.line);
    if (outcome === 'repeated') repeated += 1;
    if (outcome === 'applied' && 'change' in one) applied[one.change.change] += 1;
  }
  const refused = before.refused + refusedOf(lines, outcomes).length;
  return { lines: before.lines + lines.length, applied, repeated, refused };
}
