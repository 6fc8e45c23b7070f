import { lateRejections } from '../../domain/imports/decide-change.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import type { ImportCounts, ImportProgress, ImportState } from '../../domain/imports/import-state.ts';
import type { LineRejection } from '../../domain/imports/parse-change.ts';
import { timeOfInvocation, withinInvocation } from '../../lambda/time-left.ts';
import { applyChunk } from './apply-chunk.ts';
import type { CurrentImport, Outcome } from './current-import.ts';
import { listPart } from './import-report.ts';
import type { ImportTools } from './import-tools.ts';
import { topicOfChanges } from './publish-change.ts';
import { type Chunk, type ChunkLine, EndlessRecord, readChunk } from './read-chunk.ts';
import { FileMissing, openLines } from './read-lines.ts';

function rejectionsOf(
  lines: readonly ChunkLine[],
  outcomes: ReadonlyMap<number, Outcome>,
): (LineRejection & { readonly line: number })[] {
  return lines.flatMap((one) => {
    const { line } = one;
    if ('rejected' in one) return [{ line, ...one.rejected }];
    const outcome = outcomes.get(line);
    if (outcome === undefined || outcome === 'applied' || outcome === 'repeated') return [];
    return [{ line, ...lateRejections[outcome] }];
  });
}

function countLines(
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
  const rejected = before.rejected + rejectionsOf(lines, outcomes).length;
  return { lines: before.lines + lines.length, applied, repeated, rejected };
}

/** The time needed to finish a throttled chunk, queue the remaining lines, and report a file that takes too long. */
export const handOverMs = 10_000;

type ApplyResult =
  | { readonly is: 'rest' }
  | { readonly is: 'superseded' }
  | { readonly is: 'ended'; readonly state: ImportState };

function endless({ line }: EndlessRecord): string {
  const cause = `is longer than ${importLimits.lineBytes} bytes, or its quotation marks are ambiguous (RFC 4180)`;
  return `line ${line} ${cause}: the import stopped before this line`;
}

/** Applies the lines of a file from the stored position, chunk by chunk, until time runs out. */
export async function applyFile(
  file: ImportFile,
  started: ImportState,
  runId: string,
  tools: ImportTools,
): Promise<ApplyResult> {
  const { imports, importFiles, settings, now } = tools;
  const leftMs = timeOfInvocation();
  const end = (state: ImportState, unreadable?: string): ApplyResult => ({
    is: 'ended',
    state: { ...state, endedAt: now(), unreadable },
  });
  let state = started;
  try {
    const opened = await openLines(file, state, importFiles.readAt, settings.extraAttributes);
    if (typeof opened === 'string') return end(state, opened);
    const reading = { columns: opened.columns, rules: settings };
    // If the topic was recreated, later events go to the subscribers of the new topic.
    const topic = state.topic && ((await topicOfChanges(tools)) ?? state.topic);
    for (;;) {
      if (leftMs() < 3 * handOverMs) return { is: 'rest' };
      const startedAt = now();
      const chunk = await readChunk(opened.lines, reading, settings.importWritesPerSecond);
      if (chunk === undefined) return end(state, state.counts.lines === 0 ? 'the file has no lines' : undefined);
      const current: CurrentImport = {
        importId: state.importId,
        file: state.file.key,
        topic,
        tools,
        unchanged: new Map(),
      };
      const outcomes = await withinInvocation(
        () => leftMs() - handOverMs,
        () => applyChunk(chunk.lines, current),
      );
      const progress = await progressOf(state, chunk, outcomes, tools);
      if (!(await imports.advance(state.sha256, runId, progress))) return { is: 'superseded' };
      state = { ...state, ...progress };
      const pauseMs = (chunk.writes * 1000) / settings.importWritesPerSecond - (now() - startedAt);
      await tools.sleep(Math.max(0, Math.min(pauseMs, leftMs() - handOverMs)));
    }
  } catch (error) {
    if (error instanceof FileMissing) return end(state, 'the file was deleted or replaced during the import');
    if (error instanceof EndlessRecord) return end(state, endless(error));
    // Throttled calls are retried until time runs out. The next run continues the import.
    if (leftMs() < 2 * handOverMs) return { is: 'rest' };
    throw error;
  }
}

async function progressOf(
  { importId, counts, parts }: ImportState,
  { lines, next }: Chunk,
  outcomes: ReadonlyMap<number, Outcome>,
  { importFiles, now }: ImportTools,
): Promise<ImportProgress> {
  const rejected = rejectionsOf(lines, outcomes).slice(0, Math.max(0, importLimits.listedLines - counts.rejected));
  if (rejected.length > 0) await importFiles.putPart(importId, parts, listPart(rejected));
  return {
    ...next,
    counts: countLines(counts, lines, outcomes),
    parts: parts + (rejected.length > 0 ? 1 : 0),
    movedAt: now(),
  };
}
