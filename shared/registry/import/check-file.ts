import { readFileName } from '../../domain/imports/file-name.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import { type ImportState, noCounts } from '../../domain/imports/import-state.ts';
import { listRejected } from './import-report.ts';
import { type Chunk, readChunk } from './read-chunk.ts';
import type { FileRecord } from './read-records.ts';
import { advance, end, type PassResult, type Progress, type Run, runPass } from './run-pass.ts';

const skipsMalformed = ({ file }: ImportState): boolean => readFileName(file.key).skipsMalformed;

/** Reads the next lines and lists the malformed lines among them. */
async function checkLines(
  records: AsyncIterator<FileRecord>,
  state: ImportState,
  { tools }: Run,
): Promise<Progress | undefined> {
  const { checkedLines, checkedBytes } = importLimits;
  const isFull = ({ lines, next }: Chunk) => lines.length >= checkedLines || next.offset - state.offset >= checkedBytes;
  const chunk = await readChunk(records, state, tools.settings, isFull);
  if (chunk === undefined) return undefined;
  const rejected = chunk.lines.flatMap((one) => ('rejected' in one ? [{ line: one.line, ...one.rejected }] : []));
  // If the import skips malformed lines, its second pass lists these lines.
  const parts = skipsMalformed(state) ? state.parts : await listRejected(state, rejected, tools);
  const { counts } = state;
  const added = { lines: counts.lines + chunk.lines.length, rejected: counts.rejected + rejected.length };
  return { ...chunk.next, counts: { ...counts, ...added }, parts };
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
export async function checkFile(started: ImportState, run: Run): Promise<PassResult> {
  const passed = await runPass(started, run, async (records, state) => {
    const progress = await checkLines(records, state, run);
    return progress && { progress };
  });
  if (passed.is !== 'finished') return passed;
  const problem = problemOf(passed.state);
  if (problem !== undefined) return end(passed.state, problem, run);
  const begin = { offset: 0, number: 1, counts: noCounts, parts: 0, checkedAt: run.tools.now() };
  const state = await advance(passed.state, begin, run);
  return state === undefined ? { is: 'superseded' } : { is: 'finished', state };
}
