import { lateRejections } from '../../domain/imports/decide-change.ts';
import type { ImportState } from '../../domain/imports/import-state.ts';
import { timeOfInvocation, withinInvocation } from '../../lambda/time-left.ts';
import { applyChunk } from './apply-chunk.ts';
import type { CurrentImport, Outcome } from './apply-once.ts';
import { listRejected } from './import-report.ts';
import { topicOfChanges } from './publish-change.ts';
import { type Chunk, type RejectedLine, readChunk } from './read-chunk.ts';
import { end, handOverMs, type PassResult, type Progress, type Run, runPass } from './run-pass.ts';

/** Counts the lines and lists the rejected lines. */
async function progressOf(
  state: ImportState,
  { lines, next }: Chunk,
  outcomes: ReadonlyMap<number, Outcome>,
  { tools }: Run,
): Promise<Progress> {
  const applied = { ...state.counts.applied };
  let { repeated } = state.counts;
  const rejections: RejectedLine[] = [];
  for (const one of lines) {
    const { line } = one;
    const outcome = outcomes.get(line);
    if ('rejected' in one) rejections.push({ line, ...one.rejected });
    else if (outcome === 'repeated') repeated += 1;
    else if (outcome === 'applied') applied[one.change.change] += 1;
    else if (outcome !== undefined) rejections.push({ line, ...lateRejections[outcome] });
  }
  const rejected = state.counts.rejected + rejections.length;
  const counts = { lines: state.counts.lines + lines.length, applied, repeated, rejected };
  return { ...next, counts, parts: await listRejected(state, rejections, tools) };
}

/** Applies the lines of a checked file, chunk by chunk. */
export async function applyFile(started: ImportState, run: Run): Promise<PassResult> {
  const { tools } = run;
  const { settings, now } = tools;
  const leftMs = timeOfInvocation();
  // If the topic was deleted and created again, later events go to the subscribers of the new topic.
  const topic = started.topic && ((await topicOfChanges(tools)) ?? started.topic);
  const passed = await runPass(started, run, async (records, state) => {
    const startedAt = now();
    const chunk = await readChunk(records, state, settings, settings.importWritesPerSecond);
    if (chunk === undefined) return undefined;
    const { importId, file } = state;
    const current: CurrentImport = { importId, file: file.key, topic, tools, unchanged: new Map() };
    const outcomes = await withinInvocation(
      () => leftMs() - handOverMs,
      () => applyChunk(chunk.lines, current),
    );
    const progress = await progressOf(state, chunk, outcomes, run);
    return { progress, pauseMs: (chunk.writes * 1000) / settings.importWritesPerSecond - (now() - startedAt) };
  });
  return passed.is === 'finished' ? end(passed.state, undefined, run) : passed;
}
