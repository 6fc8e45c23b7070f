import { dayMs } from '../../domain/day-ms.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import { type ImportState, noCounts } from '../../domain/imports/import-state.ts';
import { isoTime } from '../../domain/iso-time.ts';
import type { LineRefusal } from '../../model/imports/change.ts';
import type { ImportTools } from './import-tools.ts';

/** Refused lines as the report lists them: no value stands in one. */
export const partOf = (refused: readonly (LineRefusal & { readonly line: number })[]): string =>
  refused.map(({ line, field, reason }) => JSON.stringify({ line, field, reason })).join(',\n    ');

// Read ahead, so that a long list does not take a run's whole time.
const partsAtOnce = 16;

/** Parts of the list; undefined for one that somebody has taken away. */
async function* partsOf(
  { importId, parts }: ImportState,
  { importFiles }: ImportTools,
): AsyncGenerator<string | undefined> {
  const ahead: Promise<string | undefined>[] = [];
  for (let part = 0; part < parts || ahead.length > 0; ) {
    while (part < parts && ahead.length < partsAtOnce) {
      const reading = importFiles.part(importId, part++);
      // Whoever waits for it hears of it.
      reading.catch(() => {});
      ahead.push(reading);
    }
    yield await ahead.shift();
  }
}

const fields = (summary: object): string => JSON.stringify(summary, null, 2).slice(2, -2);

async function* textOf(state: ImportState, summary: object, tools: ImportTools): AsyncGenerator<string> {
  yield `{\n${fields(summary)},\n  "refusedLines": [`;
  let [between, missing] = ['\n    ', 0];
  for await (const part of partsOf(state, tools)) {
    if (part !== undefined) yield between + part;
    if (part !== undefined) between = ',\n    ';
    else missing += 1;
  }
  yield state.parts > missing ? '\n  ]' : ']';
  // The import ends all the same: others wait for it.
  yield missing > 0 ? ',\n  "refusedLinesIncomplete": true\n}\n' : '\n}\n';
}

/** What became of a file: when, and how many of its lines were what. */
const outcomeOf = ({ begunAt, endedAt, unreadable, counts }: ImportState) => ({
  begunAt: isoTime(begunAt),
  ...(endedAt !== undefined && { endedAt: isoTime(endedAt) }),
  unreadable,
  ...counts,
});

/** Writes beside a file what became of it. */
export async function writeReport(state: ImportState, tools: ImportTools): Promise<void> {
  const { file, sha256, counts } = state;
  const more = counts.refused - importLimits.listedLines;
  const summary = {
    ...{ file: file.key, versionId: file.versionId, sha256, ...outcomeOf(state) },
    ...(more > 0 && { refusedNotListed: more }),
  };
  await tools.importFiles.writeReport(file, textOf(state, summary, tools));
}

/**
 * The same beside a file whose bytes were imported before: none of its lines is applied again. What became of them then stands
 * under `repeats`, and the lines that were refused then are listed: the earlier report may have been the one that this replaces.
 */
export async function writeRepeated(file: ImportFile, earlier: ImportState, tools: ImportTools): Promise<void> {
  const { sha256, begunAt, parts } = earlier;
  const summary = {
    ...{ file: file.key, versionId: file.versionId, sha256 },
    repeats: { file: earlier.file.key, versionId: earlier.file.versionId, ...outcomeOf(earlier) },
    ...noCounts,
  };
  // What the lists are made of goes as many days after it was written as what is known of the import does after its end.
  const isKept = tools.now() < begunAt + (tools.settings.importDays - 1) * dayMs;
  await tools.importFiles.writeReport(file, textOf({ ...earlier, parts: isKept ? parts : 0 }, summary, tools));
}
