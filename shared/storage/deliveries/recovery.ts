import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { graceMs } from '../../domain/deliveries/times.ts';
import { toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { recoveryRowKey, recoveryRowOf } from './recovery-row.ts';
import type { Recovery } from './row-schemas.ts';
import { lookedNames } from './row-schemas.ts';
import { dueAt, foundBy } from './rows.ts';
import { waitingEvents } from './waiting-events.ts';

// What one look reads of the index at the most: whoever has more that rests there has a recovery go on all the same.
const mostRead = 1000;
// Mostly nothing rests, and the first page shows whether there is room.
const pageSize = 100;

export const recovery = (client: DynamoDBClient, table: string) => ({
  ...recoveryRowOf(client, table),

  /** Notes how far a step has come: the sweeper looks at it once the next, due at `nextAt`, is late. False when others made it. */
  async stepped(
    uuid: string,
    stepId: string,
    to: Omit<Recovery, 'since' | 'until' | 'isStuck'>,
    nextAt: number,
  ): Promise<boolean> {
    const done = await update(client, table, recoveryRowKey(uuid), {
      set: { ...to, ...dueAt(uuid, nextAt + graceMs) },
      remove: [...(to.place === undefined ? ['place'] : []), ...lookedNames],
      condition: '#stepId = :step AND #isOver = :not',
      values: { step: stepId, not: false },
    });
    return done.isDone || done.stored?.stepId?.S === to.stepId;
  },

  /** Ends a recovery, unless it was widened, or begun anew. */
  async endRecovery(
    uuid: string,
    { stepId, since, until }: Pick<Recovery, 'stepId' | 'since' | 'until'>,
    sent: number,
  ): Promise<boolean> {
    const ended = await update(client, table, recoveryRowKey(uuid), {
      set: { isOver: true, sent },
      remove: [...foundBy, ...lookedNames],
      condition: '#stepId = :step AND #since = :since AND #until = :until',
      names: ['stepId', 'since', 'until'],
      values: { step: stepId, since, until },
    });
    return ended.isDone;
  },

  /** How many events wait for a subscription, or are being worked on: up to `most`, as far as one look shows them. */
  async countWaiting(uuid: string, most: number): Promise<number> {
    const { values, ...events } = waitingEvents(table, uuid);
    const pages = paginateQuery(
      { client, pageSize },
      { ...events, ExpressionAttributeValues: toItem(values), Select: 'COUNT' },
    );
    let [count, read] = [0, 0];
    for await (const { Count = 0, ScannedCount = 0 } of pages) {
      count += Count;
      read += ScannedCount;
      if (count >= most || read >= mostRead) break;
    }
    return Math.min(count, most);
  },
});
