import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mergedRecovery } from '../../domain/deliveries/recovery.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { update } from '../update.ts';
import { recoveryRowKey, recoveryRowOf } from './recovery-row.ts';
import type { Recovery } from './row-schemas.ts';
import { lookedNames } from './row-schemas.ts';
import { dueAt } from './rows.ts';

// What a recovery does not have that begins.
const comeNames = ['place', 'pass', 'passed', 'idle'];

export const beginRecovery = (client: DynamoDBClient, table: string) => {
  const { recoveryOf } = recoveryRowOf(client, table);
  return {
    /**
     * Asks for a recovery of what was published from `since` to `until`; one that is under way is widened. Answers what stands, and
     * whether steps begin, with `stepId`. The sweeper finds it from `now` on (epoch milliseconds); it is kept until
     * `expiresAt` (epoch seconds).
     */
    async beginRecovery(
      uuid: string,
      asked: Pick<Recovery, 'since' | 'until' | 'stepId'>,
      now: number,
      expiresAt: number,
    ): Promise<{ readonly recovery: Pick<Recovery, 'stepId' | 'since' | 'until'>; readonly isBegun: boolean }> {
      for (;;) {
        const stands = await recoveryOf(uuid);
        const { recovery: next, isBegun } = mergedRecovery(stands, asked);
        const isAnew = stands === undefined || stands.isOver;
        const begun = await update(client, table, recoveryRowKey(uuid), {
          set: { messageId: uuid, ...next, expiresAt, ...(isBegun && dueAt(uuid, now + graceMs)) },
          remove: [...(isAnew ? comeNames : []), ...(isBegun ? lookedNames : [])],
          condition:
            stands === undefined
              ? 'attribute_not_exists(#messageSlice)'
              : '#stepId = :stands AND #isOver = :wasOver AND #since = :wasSince AND #until = :wasUntil',
          names: stands === undefined ? ['messageSlice'] : [],
          values: stands
            ? { stands: stands.stepId, wasOver: stands.isOver, wasSince: stands.since, wasUntil: stands.until }
            : {},
        });
        const isOurs = isBegun && begun.isDone === false && begun.stored?.stepId?.S === asked.stepId;
        if (begun.isDone || isOurs) return { recovery: next, isBegun };
      }
    },
  };
};
