import { lateRejections } from '../../domain/imports/decide-change.ts';
import { readFileName } from '../../domain/imports/file-name.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import type { ImportFile } from '../../domain/imports/import-payload.ts';
import { type ImportProgress, type ImportState, noCounts } from '../../domain/imports/import-state.ts';
import { timeOfInvocation, withinInvocation } from '../../lambda/time-left.ts';
import { applyChunk } from './apply-chunk.ts';
import { type Outcome, topicOfChanges } from './apply-once.ts';
import { listRejected } from './import-report.ts';
import type { ImportTools } from './import-tools.ts';
import { type Chunk, parseRecord, type RejectedLine, readChunk } from './read-chunk.ts';
import { type FileRecord, openRecords, Unreadable } from './read-records.ts';

/**
 * The time reserved for finishing a throttled chunk, queueing the remaining lines, and reporting a file that takes too
 * long.
 */
export const handOverMs = 10_000;

interface Run {
  readonly id: string;
  readonly file: ImportFile;
  readonly tools: ImportTools;
}

type PassResult =
  | { readonly is: 'rest' }
  | { readonly is: 'superseded' }
  | { readonly is: 'ended' | 'finished'; readonly state: ImportState };

type Progress = Omit<ImportProgress, 'movedAt' | 'step'>;

const end = (state: ImportState, unreadable: string | undefined, { tools }: Run): PassResult => ({
  is: 'ended',
  state: { ...state, endedAt: tools.now(), unreadable },
});

/** Stores progress. Returns undefined if another run has taken over the import. */
async function advance(state: ImportState, progress: Progress, { id, tools }: Run): Promise<ImportState | undefined> {
  const stored = { ...progress, movedAt: tools.now(), step: state.step + 1 };
  return (await tools.imports.advance(state.sha256, id, stored)) ? { ...state, ...stored } : undefined;
}

/**
 * Reads a file from the stored position to its end, and stores the position after each step.
 * @param step processes the next records; returns undefined at the end of the file
 */
async function runPass(
  started: ImportState,
  run: Run,
  step: (
    records: AsyncIterator<FileRecord>,
    state: ImportState,
  ) => Promise<(Progress & { readonly pauseMs?: number }) | undefined>,
): Promise<PassResult> {
  const { importFiles, settings, sleep } = run.tools;
  const leftMs = timeOfInvocation();
  let state = started;
  try {
    const records = await openRecords(run.file, state, importFiles.readAt, settings.extraAttributes);
    if (typeof records === 'string') return end(state, records, run);
    try {
      for (;;) {
        if (leftMs() < 3 * handOverMs) return { is: 'rest' };
        const stepped = await step(records, state);
        if (stepped === undefined) return { is: 'finished', state };
        const { pauseMs = 0, ...progress } = stepped;
        const advanced = await advance(state, progress, run);
        if (advanced === undefined) return { is: 'superseded' };
        state = advanced;
        await sleep(Math.max(0, Math.min(pauseMs, leftMs() - handOverMs)));
      }
    } finally {
      await records.return(undefined);
    }
  } catch (error) {
    if (error instanceof Unreadable) return end(state, error.message, run);
    // Throttled calls are retried until time runs out. The next run continues the import.
    if (leftMs() < 2 * handOverMs) return { is: 'rest' };
    throw error;
  }
}

const skipsMalformed = ({ file }: ImportState): boolean => readFileName(file.key).skipsMalformed;

/** Reads the next lines and lists the malformed lines among them. */
async function checkLines(
  records: AsyncIterator<FileRecord>,
  state: ImportState,
  tools: ImportTools,
): Promise<Progress | undefined> {
  let { offset, number } = state;
  let lines = 0;
  const rejected: RejectedLine[] = [];
  const { checkedLines, checkedBytes } = importLimits;
  for (let read = 0; read < checkedLines && offset - state.offset < checkedBytes; read++) {
    const { value, done } = await records.next();
    if (done && read === 0) return undefined;
    if (done) break;
    ({ offset, number } = value.next);
    const line = parseRecord(value, tools.settings);
    if (line !== undefined) lines += 1;
    if (line !== undefined && 'rejected' in line) rejected.push({ line: line.line, ...line.rejected });
  }
  // If the import skips malformed lines, its second pass lists these lines.
  const parts = skipsMalformed(state) ? state.parts : await listRejected(state, rejected, tools);
  const { counts } = state;
  const added = { lines: counts.lines + lines, rejected: counts.rejected + rejected.length };
  return { offset, number, counts: { ...counts, ...added }, parts };
}

function problemOf(state: ImportState): string | undefined {
  const { lines, rejected } = state.counts;
  if (lines === 0) return 'the file has no lines';
  if (rejected === 0 || skipsMalformed(state)) return undefined;
  return (
    `${rejected} of ${lines} lines are malformed, and no line was applied. ` +
    'Repair these lines, or repeat the import with --skip-malformed. ' +
    'This option adds skip-malformed to the file name (people.skip-malformed.ndjson)'
  );
}

/** Checks all lines of a file before any line is applied. */
async function checkFile(started: ImportState, run: Run): Promise<PassResult> {
  const passed = await runPass(started, run, (records, state) => checkLines(records, state, run.tools));
  if (passed.is !== 'finished') return passed;
  const problem = problemOf(passed.state);
  if (problem !== undefined) return end(passed.state, problem, run);
  const begin = { offset: 0, number: 1, counts: noCounts, parts: 0, checkedAt: run.tools.now() };
  const state = await advance(passed.state, begin, run);
  return state === undefined ? { is: 'superseded' } : { is: 'finished', state };
}

/** Counts the lines and lists the rejected lines. */
async function progressOf(
  state: ImportState,
  { lines, next }: Chunk,
  outcomes: ReadonlyMap<number, Outcome>,
  tools: ImportTools,
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
async function applyFile(started: ImportState, run: Run): Promise<PassResult> {
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
    const outcomes = await withinInvocation(
      () => leftMs() - handOverMs,
      () => applyChunk(chunk.lines, { importId, file: file.key, topic, tools, unchanged: new Map() }),
    );
    const progress = await progressOf(state, chunk, outcomes, tools);
    return { ...progress, pauseMs: (chunk.writes * 1000) / settings.importWritesPerSecond - (now() - startedAt) };
  });
  return passed.is === 'finished' ? end(passed.state, undefined, run) : passed;
}

/** Runs the remaining passes of an import: the first checks all lines of the file, and the second applies them. */
export async function runPasses(state: ImportState, run: Run): Promise<PassResult> {
  if (state.checkedAt !== undefined) return applyFile(state, run);
  const checked = await checkFile(state, run);
  return checked.is === 'finished' ? applyFile(checked.state, run) : checked;
}
