import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import { type ImportState, noCounts } from '../../domain/imports/import-state.ts';
import { inParts } from '../../domain/in-parts.ts';
import { dayMs, isoTime } from '../../domain/time.ts';
import type { ImportTools } from './import-tools.ts';
import type { RejectedLine } from './read-chunk.ts';

/**
 * Adds the given lines, as a new part, to the list of rejected lines until the list has its maximum length. Returns the
 * new number of parts.
 */
export async function listRejected(
  { importId, counts, parts }: ImportState,
  rejected: readonly RejectedLine[],
  { importFiles }: ImportTools,
): Promise<number> {
  const listed = rejected.slice(0, Math.max(0, importLimits.listedLines - counts.rejected));
  if (listed.length === 0) return parts;
  const text = listed.map(({ line, field, reason }) => JSON.stringify({ line, field, reason })).join(',\n    ');
  await importFiles.putPart(importId, parts, text);
  return parts + 1;
}

// Parts of the list are read in parallel, so that one run can write even a long list of rejected lines.
const partsAtOnce = 32;

async function* textOf(state: ImportState, summary: object, tools: ImportTools): AsyncGenerator<string> {
  const fields = JSON.stringify(summary, null, 2).slice(2, -2);
  yield `{\n${fields},\n  "rejectedLines": [`;
  let read = 0;
  for (const some of inParts([...Array(state.parts).keys()], partsAtOnce)) {
    for (const part of await Promise.all(some.map((one) => tools.importFiles.part(state.importId, one)))) {
      if (part !== undefined) yield `${read++ > 0 ? ',' : ''}\n    ${part}`;
    }
  }
  yield read > 0 ? '\n  ]' : ']';
  // The import does not fail if parts are missing, because other imports are waiting for it to end.
  yield read < state.parts ? ',\n  "rejectedLinesIncomplete": true\n}\n' : '\n}\n';
}

const outcomeOf = ({ begunAt, endedAt, unreadable, counts }: ImportState) => ({
  begunAt: isoTime(begunAt),
  ...(endedAt !== undefined && { endedAt: isoTime(endedAt) }),
  unreadable,
  ...counts,
});

export async function writeReport(state: ImportState, tools: ImportTools): Promise<void> {
  const { file, sha256, counts } = state;
  const more = counts.rejected - importLimits.listedLines;
  const summary = {
    ...{ file: file.key, versionId: file.versionId, sha256, ...outcomeOf(state) },
    ...(more > 0 && { rejectedNotListed: more }),
  };
  await tools.importFiles.writeReport(file, textOf(state, summary, tools));
}

/**
 * Writes the report for a file with the same bytes as an earlier import. The lines of this file are not applied again.
 * `repeats` contains the outcome of the earlier import, because this report may replace the earlier report.
 */
export async function writeRepeatReport(file: ImportFile, earlier: ImportState, tools: ImportTools): Promise<void> {
  const { sha256, begunAt, parts } = earlier;
  const summary = {
    ...{ file: file.key, versionId: file.versionId, sha256 },
    repeats: { file: earlier.file.key, versionId: earlier.file.versionId, ...outcomeOf(earlier) },
    ...noCounts,
  };
  // Each part of the list expires `importDays` after it was written, and thus before the import record expires.
  const isKept = tools.now() < begunAt + (tools.settings.importDays - 1) * dayMs;
  await tools.importFiles.writeReport(file, textOf({ ...earlier, parts: isKept ? parts : 0 }, summary, tools));
}
