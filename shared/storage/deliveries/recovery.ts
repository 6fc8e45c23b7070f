import { type DynamoDBClient, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { mergedRecovery } from '../../domain/deliveries/merge-recovery.ts';
import { recoveryKey } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { dueAt, foundBy, keyOf, looked, lookedNames } from './rows.ts';
import { waitingEvents } from './waiting-events.ts';

// What one look reads of the index at the most: whoever has more that rests there has a recovery go on all the same.
const mostRead = 1000;
// Mostly nothing rests, and the first page shows whether there is room.
const pageSize = 100;

const part = z.object({ from: z.string(), to: z.string() });

/** How far the recovery of a subscription has come. Times are RFC 3339. */
const recoveryRow = z.object({
  /** Of the step that is to be made next: a payload of another does nothing. */
  stepId: z.string(),
  /** What was published from then on, until then. */
  since: z.string(),
  until: z.string(),
  /** The part of it that is being passed over (without it, the whole), and what was passed over before. */
  pass: z.optional(part),
  passed: z.optional(part),
  /** The last message that was looked at. */
  place: z.optional(z.object({ timestamp: z.string(), messageId: z.string() })),
  /** How many it has had delivered. */
  sent: z.int(),
  /** How many steps in a row have found no room. */
  idle: z._default(z.int(), 0),
  isOver: z._default(z.boolean(), false),
  isStuck: looked.isStuck,
});
export type Recovery = z.infer<typeof recoveryRow>;

// What a recovery does not have that begins.
const comeNames = ['place', 'pass', 'passed', 'idle'];

const recoveryRowKey = (uuid: string): Item => keyOf({ messageSlice: `${recoveryKey}#${uuid}`, taskKey: recoveryKey });

export const recovery = (client: DynamoDBClient, table: string) => {
  /** The recovery of a subscription; undefined where none was ever asked for, or the ledger has forgotten it. */
  async function recoveryOf(uuid: string): Promise<Recovery | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: recoveryRowKey(uuid), ConsistentRead: true }),
    );
    return Item && fromItem(recoveryRow, Item);
  }

  return {
    recoveryOf,

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
  };
};
