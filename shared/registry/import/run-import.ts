import { createHash } from 'node:crypto';
import { dayMs } from '../../domain/day-ms.ts';
import { importLimits, importTimes } from '../../domain/imports/import-limits.ts';
import type { ImportFile, ImportStep, ToldFile } from '../../domain/imports/import-payload.ts';
import { type ImportState, noCounts } from '../../domain/imports/import-state.ts';
import { topicOfChanges } from '../../imports/publish-change.ts';
import { blocksOf, FileGone } from '../../imports/read-lines.ts';
import { handOverMs, workOff } from '../../imports/work-off.ts';
import { timeOfInvocation } from '../../lambda/time-left.ts';
import { writeRepeated, writeReport } from './import-report.ts';
import type { ImportTools } from './import-tools.ts';

// An import that has its turn takes minutes or hours.
const lookAgainSeconds = 60;

const beginning = (file: ImportFile, sha256: string, { newId, now }: ImportTools): ImportState => ({
  ...{ sha256, importId: newId(), file, begunAt: now() },
  ...{ offset: 0, number: 1, counts: noCounts, parts: 0, movedAt: now() },
});

/** Why a file is not even begun. */
function unreadable({ bytes }: ImportFile): string | undefined {
  if (bytes === 0) return 'the file is empty';
  const most = importLimits.fileBytes;
  return bytes > most ? `the file must be at most ${most} bytes long: put it in several` : undefined;
}

const isSame = (one: ImportFile, other: ImportFile): boolean =>
  one.key === other.key &&
  one.versionId === other.versionId &&
  one.eTag === other.eTag &&
  (one.versionId !== undefined || one.sequencer === other.sequencer);

/** Begins with a file that S3 tells of, unless it is gone again: whoever put another in its place has that one imported. */
export async function beginImport(of: ToldFile, tools: ImportTools): Promise<void> {
  const file = await tools.importFiles.look(of);
  if (file === undefined) return endHeld(of, tools);
  const reason = unreadable(file);
  if (reason !== undefined) return refuse(file, reason, tools);
  try {
    const sha256 = await hashOf(file, tools);
    if (sha256 === undefined) return refuse(file, 'the file took too long to be read: put it in several', tools);
    await runImport({ file, sha256 }, tools);
  } catch (error) {
    if (!(error instanceof FileGone)) throw error;
    await endHeld(of, tools);
  }
}

/** Has an import of a file that is gone come to its end, where a run that died has left it the turn: all others wait for that. */
async function endHeld({ key, versionId }: ToldFile, tools: ImportTools): Promise<void> {
  const { file, sha256 } = (await tools.imports.holder()) ?? {};
  if (sha256 === undefined || file?.key !== key || file.versionId !== versionId) return;
  await runImport({ file, sha256 }, tools);
}

async function refuse(file: ImportFile, reason: string, tools: ImportTools): Promise<void> {
  const state = { ...beginning(file, '', tools), unreadable: reason, endedAt: tools.now() };
  await writeReport(state, tools);
  tools.onEnded(state);
}

/** The SHA-256 of a file; undefined where a run has not enough time to take it. @throws FileGone */
async function hashOf(file: ImportFile, { importFiles }: ImportTools): Promise<string | undefined> {
  const leftMs = timeOfInvocation();
  const hash = createHash('sha256');
  for await (const block of blocksOf(file, 0, importFiles.readAt, importLimits.hashedBytes)) {
    if (leftMs() < handOverMs) return undefined;
    hash.update(block);
  }
  return hash.digest('hex');
}

async function begin(file: ImportFile, sha256: string, tools: ImportTools): Promise<ImportState> {
  const topic = await topicOfChanges(tools);
  return tools.imports.begin({ ...beginning(file, sha256, tools), topic }, tools.now());
}

/** Does as much of an import as a run has time for, and asks for the rest. */
export async function runImport({ file, sha256 }: ImportStep, tools: ImportTools): Promise<void> {
  const { imports, queues, now, newId, settings } = tools;
  const known = (await imports.get(sha256, now())) ?? (await begin(file, sha256, tools));
  if (known.endedAt !== undefined) {
    // A run may have died before it did.
    await imports.leaveTurn(sha256);
    return isSame(known.file, file) ? undefined : writeRepeated(file, known, tools);
  }
  const run = { id: newId(), leaseUntil: now() + importTimes.leaseSeconds * 1000 };
  const isTaken = await imports.take(known, run, now());
  const state = isTaken ? await imports.get(sha256, now()) : undefined;
  if (state === undefined) return waitForTurn(file, sha256, tools);
  tools.onLooked(now() - state.movedAt);
  const left = await workOff(file, state, run.id, tools);
  if (left.is === 'outrun') return waitForTurn(file, sha256, tools);
  if (left.is === 'rest') {
    await imports.rest(sha256, run.id);
    return queues.imports.send({ payload: { file, sha256 }, group: sha256 });
  }
  await writeReport(left.state, tools);
  const { endedAt, unreadable } = left.state;
  const expiresAt = Math.floor((now() + settings.importDays * dayMs) / 1000);
  if (!(await imports.end(sha256, run.id, { endedAt, unreadable }, expiresAt))) return waitForTurn(file, sha256, tools);
  await imports.leaveTurn(sha256);
  tools.onEnded(left.state);
  if (!isSame(state.file, file)) await writeRepeated(file, left.state, tools);
}

/** Asks again after a while: another import has its turn, or another run is at this one. */
async function waitForTurn(file: ImportFile, sha256: string, tools: ImportTools): Promise<void> {
  const { imports, queues, now } = tools;
  const holder = await imports.holder();
  // Its days are over.
  if (holder !== undefined && holder.movedAt === undefined) await imports.leaveTurn(holder.sha256);
  tools.onLooked(now() - (holder?.movedAt ?? now()));
  await queues.imports.send({ payload: { file, sha256 }, group: sha256, delaySeconds: lookAgainSeconds });
}
