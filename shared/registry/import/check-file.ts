import { readFileName } from '../../domain/imports/file-name.ts';
import { importLimits } from '../../domain/imports/import-limits.ts';
import { type ImportState, noCounts } from '../../domain/imports/import-state.ts';
import { listRejected } from './import-report.ts';
import { parseRecord, type RejectedLine } from './read-chunk.ts';
import type { FileRecord } from './read-records.ts';
import { advance, end, type PassResult, type Progress, type Run, runPass } from './run-pass.ts';

const skipsMalformed = ({ file }: ImportState): boolean => readFileName(file.key).skipsMalformed;

/** Reads the next lines and lists the malformed lines among them. */
async function checkLines(
  records: AsyncIterator<FileRecord>,
  state: ImportState,
  { tools }: Run,
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
