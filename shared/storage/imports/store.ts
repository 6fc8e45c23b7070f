import { type ImportProgress, type ImportState, importRowId, importState } from '../../domain/imports/import-state.ts';
import { type DynamoTable, fromItem, getItem, type Item, readRow, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { putIf, update, updateIf } from '../writes.ts';

const importKey = (sha256: string): Item => ({ id: { S: importRowId(sha256) } });
const lockKey = importKey('lock');

const isOver = ({ endedAt, expiresAt }: Item, now: number): boolean =>
  endedAt !== undefined && Number(expiresAt?.N) * 1000 <= now;

/** A run of an import. No other run may continue the import before `leaseUntil` (epoch milliseconds). */
interface Run {
  readonly id: string;
  readonly leaseUntil: number;
}

const change = (table: DynamoTable, sha256: string, runId: string, set: object, more = ''): Promise<boolean> => {
  const owned = { set: { ...set }, condition: `#runId = :own${more}`, values: { own: runId } };
  return updateIf(table, importKey(sha256), owned);
};

const run = (table: DynamoTable) => ({
  /** Returns the import of a file with this hash; undefined if there is no import or if its record has expired. */
  async get(sha256: string, now: number): Promise<ImportState | undefined> {
    const row = await getItem(table, importKey(sha256));
    return row && !isOver(row, now) ? fromItem(importState, row) : undefined;
  },
  /** Begins an import, or returns the existing import of a file with the same bytes. */
  async begin(state: ImportState, now: number): Promise<ImportState> {
    const row = { ...importKey(state.sha256), ...toItem(state) };
    const begun = await putIf(table, row, {
      condition: 'attribute_not_exists(#id) OR (attribute_exists(#endedAt) AND #expiresAt <= :now)',
      values: { now: Math.floor(now / 1000) },
    });
    return begun.isDone || begun.stored === undefined ? state : fromItem(importState, begun.stored);
  },
  /**
   * Acquires the lock for an import and the lease for one run. The first run sets `movedAt`, because waiting for the
   * lock does not count as idle time.
   * @returns false if another import holds the lock, or another run holds the lease
   */
  async acquire({ sha256 }: ImportState, { id, leaseUntil }: Run, now: number): Promise<boolean> {
    const isLocked = await updateIf(table, lockKey, {
      set: { holder: sha256 },
      condition: 'attribute_not_exists(#holder) OR #holder = :own',
      values: { own: sha256 },
    });
    if (!isLocked) return false;
    const isFirst = await updateIf(table, importKey(sha256), {
      set: { runId: id, leaseUntil, movedAt: now },
      condition: 'attribute_not_exists(#runId)',
    });
    if (isFirst) return true;
    return updateIf(table, importKey(sha256), {
      set: { runId: id, leaseUntil },
      condition: '#runId = :own OR #leaseUntil <= :now',
      values: { own: id, now },
    });
  },
  /** Stores progress. A late duplicate of an earlier request changes nothing, because its step is lower. */
  advance: (sha256: string, runId: string, progress: ImportProgress): Promise<boolean> =>
    change(table, sha256, runId, progress, ' AND (attribute_not_exists(#step) OR #step <= :set_step)'),
  release: (sha256: string, runId: string): Promise<boolean> => change(table, sha256, runId, { leaseUntil: 0 }),
  /** Completes an import and sets when its record expires. @param expiresAt epoch seconds */
  complete: (
    sha256: string,
    runId: string,
    ended: Pick<ImportState, 'endedAt' | 'unreadable'>,
    expiresAt: number,
  ): Promise<boolean> => change(table, sha256, runId, { ...ended, expiresAt }),
  async releaseLock(sha256: string): Promise<void> {
    await update(table, lockKey, {
      remove: ['holder'],
      condition: '#holder = :own',
      values: { own: sha256 },
    });
  },
  /**
   * Returns the import that holds the lock; undefined if no import holds the lock. If the record has expired, returns
   * only the hash.
   */
  async lockHolder(): Promise<(Pick<ImportState, 'sha256'> & Partial<ImportState>) | undefined> {
    const sha256 = (await getItem(table, lockKey))?.holder?.S;
    if (sha256 === undefined) return undefined;
    return (await readRow(importState, table, importKey(sha256))) ?? { sha256 };
  },
});

/** Imports and persons share a table, so that a restored table contains the state of both at the same time. */
export const imports = tableStore('imports', { run });
