import { hashOfFile, nameProblem } from '../../domain/imports/file-name.ts';
import { importLimits, importTimes } from '../../domain/imports/import-limits.ts';
import type { ImportFile, ImportStep, NotifiedFile } from '../../domain/imports/import-payload.ts';
import { type ImportState, noCounts } from '../../domain/imports/import-state.ts';
import { dayMs } from '../../domain/time.ts';
import { timeOfInvocation } from '../../lambda/time-left.ts';
import { topicOfChanges } from './apply-once.ts';
import { writeRepeatReport, writeReport } from './import-report.ts';
import type { ImportTools } from './import-tools.ts';
import { blocksOf, FileMissing } from './read-records.ts';
import { handOverMs, runPasses } from './run-passes.ts';

// Imports take minutes or hours, so one retry per minute is enough.
const retrySeconds = 60;

const newState = (file: ImportFile, sha256: string, { newId, now }: ImportTools): ImportState => ({
  ...{ sha256, importId: newId(), file, begunAt: now() },
  ...{ offset: 0, number: 1, counts: noCounts, parts: 0, movedAt: now(), step: 0 },
});

function unreadable({ key, bytes }: ImportFile): string | undefined {
  if (bytes === 0) return 'the file is empty';
  const max = importLimits.fileBytes;
  if (bytes > max) return `the file must be at most ${max} bytes long: split it into several files`;
  return nameProblem(key);
}

const isSame = (one: ImportFile, other: ImportFile): boolean =>
  one.key === other.key &&
  one.versionId === other.versionId &&
  one.eTag === other.eTag &&
  (one.versionId !== undefined || one.sequencer === other.sequencer);

/**
 * Begins the import of a new file. Skips a file that was deleted or replaced: S3 sends another notification for the
 * replacement.
 */
export async function beginImport(of: NotifiedFile, tools: ImportTools): Promise<void> {
  const file = await tools.importFiles.find(of);
  if (file === undefined) return finishMissingFile(of, tools);
  const reason = unreadable(file);
  if (reason !== undefined) return rejectFile(file, reason, tools);
  try {
    const sha256 = await hashOf(file, tools);
    if (sha256 === undefined)
      return rejectFile(file, 'the file took too long to read: split it into several files', tools);
    await runImport({ file, sha256 }, tools);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    await finishMissingFile(of, tools);
  }
}

/** If a file was deleted while an interrupted run held the lock, finishes its import. Other imports need the lock. */
async function finishMissingFile({ key, versionId }: NotifiedFile, tools: ImportTools): Promise<void> {
  const { file, sha256 } = (await tools.imports.lockHolder()) ?? {};
  if (sha256 === undefined || file?.key !== key || file.versionId !== versionId) return;
  await runImport({ file, sha256 }, tools);
}

async function rejectFile(file: ImportFile, reason: string, tools: ImportTools): Promise<void> {
  const state = { ...newState(file, '', tools), unreadable: reason, endedAt: tools.now() };
  await writeReport(state, tools);
  tools.onEnded(state);
}

/** Returns the hash of a file, or undefined if time runs out. @throws FileMissing */
async function hashOf(file: ImportFile, { importFiles }: ImportTools): Promise<string | undefined> {
  const leftMs = timeOfInvocation();
  const hash = hashOfFile(file.key);
  for await (const block of blocksOf(file, 0, importFiles.readAt, importLimits.hashedBytes)) {
    if (leftMs() < handOverMs) return undefined;
    hash.update(block);
  }
  return hash.digest('hex');
}

export async function runImport(step: ImportStep, tools: ImportTools): Promise<void> {
  const { imports, queues, now, newId, settings } = tools;
  const { file, sha256 } = step;
  let known = await imports.get(sha256, now());
  known ??= await imports.begin({ ...newState(file, sha256, tools), topic: await topicOfChanges(tools) }, now());
  if (known.endedAt !== undefined) {
    // An interrupted run may still hold the lock.
    await imports.releaseLock(sha256);
    return isSame(known.file, file) ? undefined : writeRepeatReport(file, known, tools);
  }
  const run = { id: newId(), leaseUntil: now() + importTimes.leaseSeconds * 1000 };
  const isTaken = await imports.acquire(known, run, now());
  const state = isTaken ? await imports.get(sha256, now()) : undefined;
  if (state === undefined) return waitForLock(step, tools);
  tools.onIdle(now() - state.movedAt);
  const left = await runPasses(state, { id: run.id, file, tools });
  if (left.is === 'superseded') return waitForLock(step, tools);
  if (left.is === 'rest') {
    await imports.release(sha256, run.id);
    return queues.imports.send({ payload: step, group: sha256 });
  }
  await writeReport(left.state, tools);
  const { endedAt, unreadable, checkedAt } = left.state;
  const isApplied = checkedAt !== undefined;
  // If no line was applied, the same file can be imported again, for example with the option to skip malformed lines.
  const expiresAt = Math.floor((now() + (isApplied ? settings.importDays * dayMs : 0)) / 1000);
  if (!(await imports.complete(sha256, run.id, { endedAt, unreadable }, expiresAt))) return waitForLock(step, tools);
  await imports.releaseLock(sha256);
  tools.onEnded(left.state);
  if (isSame(state.file, file)) return;
  if (isApplied) return writeRepeatReport(file, left.state, tools);
  await queues.imports.send({ payload: step, group: sha256 });
}

/** Retries later, because another import holds the lock or another run is continuing this import. */
async function waitForLock(step: ImportStep, tools: ImportTools): Promise<void> {
  const { imports, queues, now } = tools;
  const holder = await imports.lockHolder();
  // If a request takes effect late, it can give the lock to an import that has already ended.
  const isUnused = holder?.movedAt === undefined || holder.endedAt !== undefined;
  if (holder !== undefined && isUnused) await imports.releaseLock(holder.sha256);
  tools.onIdle(now() - (holder?.movedAt ?? now()));
  await queues.imports.send({ payload: step, group: step.sha256, delaySeconds: retrySeconds });
}
