import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import { type ImportProgress, type ImportState, importRowId, importState } from '../../domain/imports/import-state.ts';
import { fromItem, type Item, toItem, unlessConflict } from '../dynamo.ts';
import { overTable } from '../table-store.ts';
import { update } from '../update.ts';

const importKey = (sha256: string): Item => ({ id: { S: importRowId(sha256) } });
// No hash is called so.
const turnKey = importKey('turn');

// The row of an import that goes on is no stale one, however long that takes.
const isOver = ({ endedAt, expiresAt }: Item, now: number): boolean =>
  endedAt !== undefined && Number(expiresAt?.N) * 1000 <= now;

/** A run of an import: no other may go on with it until `leaseUntil` (epoch milliseconds). */
interface Run {
  readonly id: string;
  readonly leaseUntil: number;
}

const run = (client: DynamoDBClient, table: string) => {
  const read = async (Key: Item): Promise<Item | undefined> =>
    (await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }))).Item;
  const whileMine = (runId: string) => ({ condition: '#runId = :mine', names: ['runId'], values: { mine: runId } });
  /** False where another run has it. */
  const change = async (sha256: string, runId: string, set: object): Promise<boolean> =>
    (await update(client, table, importKey(sha256), { set: { ...set }, ...whileMine(runId) })).isDone;

  return {
    /** The import of these bytes; undefined where they were never seen, or long ago. */
    async get(sha256: string, now: number): Promise<ImportState | undefined> {
      const row = await read(importKey(sha256));
      return row && !isOver(row, now) ? fromItem(importState, row) : undefined;
    },
    /** Begins an import, unless its bytes are being imported; answers the one that stands. */
    async begin(state: ImportState, now: number): Promise<ImportState> {
      const begun = await unlessConflict(
        client.send(
          new PutItemCommand({
            TableName: table,
            Item: { ...importKey(state.sha256), ...toItem(state) },
            ConditionExpression: 'attribute_not_exists(id) OR (attribute_exists(endedAt) AND expiresAt <= :now)',
            ExpressionAttributeValues: { ':now': { N: String(Math.floor(now / 1000)) } },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      return begun.isDone || begun.stored === undefined ? state : fromItem(importState, begun.stored);
    },
    /**
     * Lets a run go on with an import: one import has its turn until it is over, and one run of it. Its first has moved it:
     * what it waited for its turn, it did not stand still.
     * @returns false where another has it
     */
    async take({ sha256 }: ImportState, { id, leaseUntil }: Run, now: number): Promise<boolean> {
      const turn = await update(client, table, turnKey, {
        set: { holder: sha256 },
        condition: 'attribute_not_exists(#holder) OR #holder = :mine',
        values: { mine: sha256 },
      });
      if (!turn.isDone) return false;
      const first = await update(client, table, importKey(sha256), {
        set: { runId: id, leaseUntil, movedAt: now },
        condition: 'attribute_not_exists(#runId)',
        names: ['runId'],
      });
      if (first.isDone) return true;
      const taken = await update(client, table, importKey(sha256), {
        set: { runId: id, leaseUntil },
        condition: '#runId = :mine OR #leaseUntil <= :now',
        values: { mine: id, now },
      });
      return taken.isDone;
    },
    /** Notes how far a run has come. */
    advance: (sha256: string, runId: string, progress: ImportProgress): Promise<boolean> =>
      change(sha256, runId, progress),
    /** Lets the next run begin at once. */
    rest: (sha256: string, runId: string): Promise<boolean> => change(sha256, runId, { leaseUntil: 0 }),
    /** From now on its days count. @param expiresAt epoch seconds */
    end: (
      sha256: string,
      runId: string,
      ended: Pick<ImportState, 'endedAt' | 'unreadable'>,
      expiresAt: number,
    ): Promise<boolean> => change(sha256, runId, { ...ended, expiresAt }),
    /** Gives the turn to whichever import asks next, where this one has it. */
    async leaveTurn(sha256: string): Promise<void> {
      await update(client, table, turnKey, {
        remove: ['holder'],
        condition: '#holder = :mine',
        values: { mine: sha256 },
      });
    },
    /** The import that has the turn, its hash alone where it is not kept any more; undefined where none has it. */
    async holder(): Promise<(Pick<ImportState, 'sha256'> & Partial<ImportState>) | undefined> {
      const sha256 = (await read(turnKey))?.holder?.S;
      if (sha256 === undefined) return undefined;
      const row = await read(importKey(sha256));
      return row === undefined ? { sha256 } : fromItem(importState, row);
    },
  };
};

/** Imports, in the table of persons: restored with them, each goes on where those are. */
export const imports = defineStore({ name: 'imports', ...overTable, permissions: { run } });
