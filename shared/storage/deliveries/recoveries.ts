import { paginateQuery } from '@aws-sdk/client-dynamodb';
import { mergeRecovery, type Recovery, recoveryRow } from '../../domain/deliveries/recovery.ts';
import { recoveryKey } from '../../domain/deliveries/task.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { type DynamoTable, type Item, readRow } from '../dynamo.ts';
import { update, updateIf } from '../writes.ts';
import { sweepStateNames } from './row-schemas.ts';
import { dueAt, indexAttributes, isNew, primaryKey } from './rows.ts';
import { waitingEvents } from './waiting-deliveries.ts';

const progressNames = ['place', 'pass', 'passed', 'idle'];

const recoveryRowKey = (uuid: string): Item =>
  primaryKey({ messageShard: `${recoveryKey}#${uuid}`, taskKey: recoveryKey });

/** Returns undefined if the subscription has no recovery, or if the recovery has expired. */
const getRecovery = (table: DynamoTable, uuid: string): Promise<Recovery | undefined> =>
  readRow(recoveryRow, table, recoveryRowKey(uuid));

export const startRecovery = (table: DynamoTable) => ({
  /**
   * Starts a recovery of a time range, or extends the current recovery. `isBegun`: the caller must send the payload of
   * the first step. The `now` parameter is in epoch milliseconds, and `expiresAt` is in epoch seconds.
   */
  async startRecovery(
    uuid: string,
    asked: Pick<Recovery, 'since' | 'until' | 'stepId'>,
    now: number,
    expiresAt: number,
  ): Promise<{ readonly recovery: Pick<Recovery, 'stepId' | 'since' | 'until'>; readonly isBegun: boolean }> {
    for (;;) {
      const stands = await getRecovery(table, uuid);
      const { recovery: next, isBegun } = mergeRecovery(stands, asked);
      const isForced = stands === undefined || stands.isOver;
      const unchanged = stands && {
        condition: '#stepId = :stands AND #isOver = :wasOver AND #since = :wasSince AND #until = :wasUntil',
        values: { stands: stands.stepId, wasOver: stands.isOver, wasSince: stands.since, wasUntil: stands.until },
      };
      const begun = await update(table, recoveryRowKey(uuid), {
        set: { messageId: uuid, ...next, expiresAt, ...(isBegun && dueAt(uuid, now + graceMs)) },
        remove: [...(isForced ? progressNames : []), ...(isBegun ? sweepStateNames : [])],
        ...(unchanged ?? isNew),
      });
      const isOurs = isBegun && begun.isDone === false && begun.stored?.stepId?.S === asked.stepId;
      if (begun.isDone || isOurs) return { recovery: next, isBegun };
    }
  },
});

// The maximum number of rows to read. The limit is high, so that many stuck rows do not block the recovery.
const mostRead = 1000;
// Usually, no rows are stuck, so reading the first page is sufficient.
const pageSize = 100;

export const continueRecovery = (table: DynamoTable) => ({
  getRecovery: (uuid: string) => getRecovery(table, uuid),

  /**
   * Records the progress of a step. The sweeper resumes the recovery if the next step, which is due at `nextAt`, is
   * late. Does nothing if another run recorded the step first.
   */
  async recordStep(
    uuid: string,
    stepId: string,
    to: Omit<Recovery, 'since' | 'until' | 'isStuck'>,
    nextAt: number,
  ): Promise<void> {
    await update(table, recoveryRowKey(uuid), {
      set: { ...to, ...dueAt(uuid, nextAt + graceMs) },
      remove: [...(to.place === undefined ? ['place'] : []), ...sweepStateNames],
      condition: '#stepId = :step AND #isOver = :not',
      values: { step: stepId, not: false },
    });
  },

  endRecovery: (
    uuid: string,
    { stepId, since, until }: Pick<Recovery, 'stepId' | 'since' | 'until'>,
    sent: number,
  ): Promise<boolean> =>
    updateIf(table, recoveryRowKey(uuid), {
      set: { isOver: true, sent },
      remove: [...indexAttributes, ...sweepStateNames],
      condition: '#stepId = :step AND #since = :since AND #until = :until',
      values: { step: stepId, since, until },
    }),

  /** Counts the pending events of a subscription, up to `most`. */
  async countWaiting(uuid: string, most: number): Promise<number> {
    const { client, TableName } = table;
    const pages = paginateQuery({ client, pageSize }, { TableName, ...waitingEvents(uuid), Select: 'COUNT' });
    let [count, read] = [0, 0];
    for await (const { Count = 0, ScannedCount = 0 } of pages) {
      count += Count;
      read += ScannedCount;
      if (count >= most || read >= mostRead) break;
    }
    return Math.min(count, most);
  },
});
