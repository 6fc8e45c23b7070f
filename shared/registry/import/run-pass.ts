import type { ImportFile } from '../../domain/imports/import-payload.ts';
import type { ImportProgress, ImportState } from '../../domain/imports/import-state.ts';
import { timeOfInvocation } from '../../lambda/time-left.ts';
import type { ImportTools } from './import-tools.ts';
import { type FileRecord, openRecords, Unreadable } from './read-records.ts';

/**
 * The time reserved for finishing a throttled chunk, queueing the remaining lines, and reporting a file that takes too
 * long.
 */
export const handOverMs = 10_000;

export interface Run {
  readonly id: string;
  readonly file: ImportFile;
  readonly tools: ImportTools;
}

export type PassResult =
  | { readonly is: 'rest' }
  | { readonly is: 'superseded' }
  | { readonly is: 'ended' | 'finished'; readonly state: ImportState };

export type Progress = Omit<ImportProgress, 'movedAt' | 'step'>;

interface Step {
  readonly progress: Progress;
  readonly pauseMs?: number;
}

export const end = (state: ImportState, unreadable: string | undefined, { tools }: Run): PassResult => ({
  is: 'ended',
  state: { ...state, endedAt: tools.now(), unreadable },
});

/** Stores progress. Returns undefined if another run has taken over the import. */
export async function advance(
  state: ImportState,
  progress: Progress,
  { id, tools }: Run,
): Promise<ImportState | undefined> {
  const stored = { ...progress, movedAt: tools.now(), step: state.step + 1 };
  return (await tools.imports.advance(state.sha256, id, stored)) ? { ...state, ...stored } : undefined;
}

/**
 * Reads a file from the stored position to its end, and stores the position after each step.
 * @param step processes the next records; returns undefined at the end of the file
 */
export async function runPass(
  started: ImportState,
  run: Run,
  step: (records: AsyncIterator<FileRecord>, state: ImportState) => Promise<Step | undefined>,
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
        const advanced = await advance(state, stepped.progress, run);
        if (advanced === undefined) return { is: 'superseded' };
        state = advanced;
        await sleep(Math.max(0, Math.min(stepped.pauseMs ?? 0, leftMs() - handOverMs)));
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
