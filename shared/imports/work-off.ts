import { importLimits } from '../domain/imports/import-limits.ts';
import type { ImportFile } from '../domain/imports/import-payload.ts';
import type { ImportProgress, ImportState } from '../domain/imports/import-state.ts';
import { timeOfInvocation, withinInvocation } from '../lambda/time-left.ts';
import { partOf } from '../registry/import/import-report.ts';
import type { ImportTools } from '../registry/import/import-tools.ts';
import { type Chunk, EndlessRecord, readChunk } from '../registry/import/read-chunk.ts';
import { openLines } from '../registry/import/read-lines.ts';
import { applyChunk } from './apply-chunk.ts';
import type { AtWork, Outcome } from './at-work.ts';
import { countLines, refusedOf } from './count-lines.ts';
import { topicOfChanges } from './publish-change.ts';
import { FileGone } from './read-lines.ts';

/** Kept for the end of a chunk that DynamoDB throttles, to ask for the rest, and to say that a file took too long. */
export const handOverMs = 10_000;

type Left =
  /** Its time is over: another run goes on. */
  | { readonly is: 'rest' }
  /** Another run goes on already. */
  | { readonly is: 'outrun' }
  | { readonly is: 'ended'; readonly state: ImportState };

const endless = ({ line }: EndlessRecord): string =>
  `line ${line} is longer than ${importLimits.lineBytes} bytes, or has quotation marks that leave in doubt where its values end (RFC 4180): nothing was read from there on`;

/** Applies the lines of a file from where its import is, chunk by chunk, for as long as there is time. */
export async function workOff(file: ImportFile, begun: ImportState, runId: string, tools: ImportTools): Promise<Left> {
  const { imports, importFiles, settings, now } = tools;
  const leftMs = timeOfInvocation();
  const end = (state: ImportState, unreadable?: string): Left => ({
    is: 'ended',
    state: { ...state, endedAt: now(), unreadable },
  });
  let state = begun;
  try {
    const opened = await openLines(file, state, importFiles.readAt, settings.extraAttributes);
    if (typeof opened === 'string') return end(state, opened);
    const reading = { columns: opened.columns, rules: settings };
    // Made anew meanwhile it has other subscribers, who are told from then on.
    const topic = state.topic && ((await topicOfChanges(tools)) ?? state.topic);
    for (;;) {
      if (leftMs() < 3 * handOverMs) return { is: 'rest' };
      const beganAt = now();
      const chunk = await readChunk(opened.lines, reading, settings.importWritesPerSecond);
      if (chunk === undefined) return end(state, state.counts.lines === 0 ? 'the file has no lines' : undefined);
      const work: AtWork = { importId: state.importId, file: state.file.key, topic, tools, unchanged: new Map() };
      const outcomes = await withinInvocation(
        () => leftMs() - handOverMs,
        () => applyChunk(chunk.lines, work),
      );
      const progress = await progressOf(state, chunk, outcomes, tools);
      if (!(await imports.advance(state.sha256, runId, progress))) return { is: 'outrun' };
      state = { ...state, ...progress };
      const pauseMs = (chunk.writes * 1000) / settings.importWritesPerSecond - (now() - beganAt);
      await tools.sleep(Math.max(0, Math.min(pauseMs, leftMs() - handOverMs)));
    }
  } catch (error) {
    if (error instanceof FileGone) return end(state, 'the file was taken away, or replaced, before its end');
    if (error instanceof EndlessRecord) return end(state, endless(error));
    // Throttling is waited out: what is left of it when the time is over is the next run's.
    if (leftMs() < 2 * handOverMs) return { is: 'rest' };
    throw error;
  }
}

/** Where an import is after a chunk; its refused lines are kept before. */
async function progressOf(
  { importId, counts, parts }: ImportState,
  { lines, next }: Chunk,
  outcomes: ReadonlyMap<number, Outcome>,
  { importFiles, now }: ImportTools,
): Promise<ImportProgress> {
  const refused = refusedOf(lines, outcomes).slice(0, Math.max(0, importLimits.listedLines - counts.refused));
  if (refused.length > 0) await importFiles.keepPart(importId, parts, partOf(refused));
  return {
    ...next,
    counts: countLines(counts, lines, outcomes),
    parts: parts + (refused.length > 0 ? 1 : 0),
    movedAt: now(),
  };
}
