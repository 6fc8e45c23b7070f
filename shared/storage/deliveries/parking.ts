import * as z from 'zod/mini';
import { type DeliveryOutcome, pastAttempts } from '../../domain/deliveries/outcome.ts';
import { orderOf, visitWaitMs } from '../../domain/deliveries/parking.ts';
import { parkingKey, singleTaskKey, subscriptionOf } from '../../domain/deliveries/task.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';
import { countRows, type DynamoTable, fromItem, getItem, type Item, queryItems, readRow, toItem } from '../dynamo.ts';
import { deleteIf, transact, update, updateOf } from '../writes.ts';
import { readMessage } from './publications.ts';
import { singleRow, sweepStateNames } from './row-schemas.ts';
import {
  dueAt,
  failedKeys,
  indexAttributes,
  messageShard,
  primaryKey,
  rowKey,
  type TaskId,
  waitingKeys,
} from './rows.ts';
import { listWaiting } from './waiting-deliveries.ts';

const parkingShard = (uuid: string): string => `${parkingKey}#${uuid}`;
const parkingRowKey = (uuid: string): Item => primaryKey({ messageShard: parkingShard(uuid), taskKey: parkingKey });

/** The row that causes the sweeper to visit a subscription's parked messages. Times are epoch milliseconds. */
export const parkingRow = z.object({
  failingSince: z.int(),
  stepId: z.optional(z.string()),
  /** Set when a visit finds no parked messages. The row is deleted once it has been closed for `graceMs`. */
  closedAt: z.optional(z.int()),
  sweepAt: z.string(),
});
export type ParkingRow = z.infer<typeof parkingRow>;

/** The place of a parked message in its subscription's list, which is ordered by time of publication. */
export const parkedPlace = z.object({
  messageShard: z.string(),
  taskKey: z.string(),
  messageId: z.string(),
  publishedAt: z.string(),
  /** The partition that contains the row of the single delivery. */
  rowOf: z.string(),
  protocol: z.enum(protocols),
  /** A message gets a new id each time it is parked. */
  parkId: z.string(),
});
export type ParkedPlace = z.infer<typeof parkedPlace>;

export const placePrefix = 'parked#';

const ownerOf = ({ messageShard }: ParkedPlace): string => messageShard.slice(parkingKey.length + 1);

const rowOf = (place: ParkedPlace): Item =>
  primaryKey({ messageShard: place.rowOf, taskKey: singleTaskKey(ownerOf(place)) });

const placesOf = (uuid: string, limit: number) => ({
  KeyConditionExpression: 'messageShard = :parking AND begins_with(taskKey, :place)',
  ExpressionAttributeValues: toItem({ ':parking': parkingShard(uuid), ':place': placePrefix }),
  Limit: limit,
});

/** Counts the parked messages of a subscription, up to `most`. */
export const countParked = (table: DynamoTable, uuid: string, most: number): Promise<number> =>
  countRows(table, placesOf(uuid, most));

export const park = (table: DynamoTable) => ({
  /** Creates or reopens the parking row of a subscription. Call this function before parking a message. */
  async openParking(uuid: string, failingSince: number, now: number, deliveryDays: number): Promise<void> {
    const key = parkingRowKey(uuid);
    const row = await getItem(table, key);
    if (row !== undefined && row.closedAt === undefined) return;
    await update(table, key, {
      set: { messageId: uuid, failingSince, ...dueAt(uuid, now + visitWaitMs(now, now, deliveryDays)) },
      remove: ['closedAt'],
      condition: 'attribute_not_exists(#messageShard) OR attribute_exists(#closedAt)',
    });
  },

  /**
   * Parks a waiting single delivery before its next `attempt`: removes the delivery's timer, and adds the delivery to
   * the subscription's list of parked messages. Returns false if the delivery is leased or has changed. `expiresAt` is
   * in epoch seconds.
   */
  async park(task: TaskId, parkId: string, expiresAt: number): Promise<boolean> {
    const { taskKey, messageId, publishedAt, protocol, attempt } = task;
    const place = {
      messageShard: parkingShard(subscriptionOf(taskKey)),
      taskKey: `${placePrefix}${orderOf(publishedAt, messageId)}`,
      ...{ messageId, publishedAt, rowOf: messageShard(task), protocol, parkId, expiresAt },
    };
    const change = updateOf({
      set: { state: 'parked', expiresAt },
      remove: [...indexAttributes, ...sweepStateNames],
      condition: '#state = :waiting AND #attempt < :attempt',
      values: { waiting: 'waiting', attempt },
    });
    const { isDone } = await transact(table, [
      { Put: { TableName: table.TableName, Item: toItem(place) } },
      { Update: { TableName: table.TableName, Key: rowKey(task), ...change } },
    ]);
    return isDone;
  },
});

const expired = (at: number): DeliveryOutcome => ({ class: 'expired', at, next: 'failed' });

// Matches a parked delivery, or a delivery whose probe was interrupted. Only a probe leases a row that has no `owner`.
const isParked = '(#state = :parked OR (#state = :leased AND #leaseUntil < :now AND attribute_not_exists(#owner)))';
const parkedValues = (now: number) => ({ parked: 'parked', leased: 'leased', now });

export const visitParking = (table: DynamoTable) => ({
  ...park(table),
  ...listWaiting(table),
  ...readMessage(table),

  getParking: (uuid: string): Promise<ParkingRow | undefined> => readRow(parkingRow, table, parkingRowKey(uuid)),

  /** Returns the oldest parked messages of a subscription. */
  async listParked(uuid: string, limit: number): Promise<ParkedPlace[]> {
    const items = await queryItems(table, { ...placesOf(uuid, limit), ConsistentRead: true });
    return items.map((item) => fromItem(parkedPlace, item));
  },

  /**
   * Reads the delivery that a place in the list refers to. `probing`: a probe is in progress. `gone`: the delivery is
   * no longer parked.
   */
  async readParked(
    place: ParkedPlace,
    now: number,
  ): Promise<{ state: 'parked' | 'probing' | 'gone'; attempt: number }> {
    const item = await getItem(table, rowOf(place));
    const row = item && fromItem(singleRow, item);
    if (row?.state === 'parked') return { state: 'parked', attempt: row.attempt + 1 };
    if (row?.state !== 'leased' || item?.owner !== undefined) return { state: 'gone', attempt: 0 };
    return { state: Number(item?.leaseUntil?.N) < now ? 'parked' : 'probing', attempt: row.attempt };
  },

  /**
   * Releases a parked delivery, so that its next attempt can start now. Returns the number of this attempt, or the
   * reason why the delivery was not released.
   */
  async releaseParked(place: ParkedPlace, now: number, expiresAt: number): Promise<number | 'probing' | 'gone'> {
    const uuid = ownerOf(place);
    const released = await update(table, rowOf(place), {
      set: {
        state: 'waiting',
        notBefore: now,
        expiresAt,
        ...waitingKeys(uuid, place, now + graceMs),
      },
      condition: isParked,
      values: parkedValues(now),
      returns: 'ALL_NEW',
    });
    if (released.isDone) return Number(released.result.Attributes?.attempt?.N) + 1;
    const { state, owner } = released.stored ?? {};
    return state?.S === 'leased' && owner === undefined ? 'probing' : 'gone';
  },

  /** Records a parked delivery as failed. A repeated call returns `failed` again. */
  async expireParked(place: ParkedPlace, now: number, expiresAt: number): Promise<'failed' | 'probing' | 'gone'> {
    const uuid = ownerOf(place);
    const row = await readRow(singleRow, table, rowOf(place));
    const { past = [], outcome: last, attempt = 0 } = row ?? {};
    const attempts = pastAttempts(past, last);
    const failed = await update(table, rowOf(place), {
      set: {
        state: 'failed',
        // `outcome` replaces the outcome of the last attempt, so keep that outcome with the earlier attempts.
        outcome: expired(now),
        ...(attempts.length > 0 && { past: attempts }),
        expiresAt,
        ...failedKeys(uuid, place.messageId, now),
      },
      condition: `${isParked} AND #attempt = :attempt`,
      values: { ...parkedValues(now), attempt },
    });
    if (failed.isDone) return 'failed';
    const { state, owner, outcome } = failed.stored ?? {};
    // A probe holds the lease, or ended after the row was read.
    if (state?.S === 'parked' || (state?.S === 'leased' && owner === undefined)) return 'probing';
    return outcome?.M?.class?.S === 'expired' ? 'failed' : 'gone';
  },

  /** Deletes a place, unless the message was parked again since `place` was read. */
  async deletePlace({ messageShard, taskKey, parkId }: ParkedPlace): Promise<void> {
    const unchanged = { condition: '#parkId = :seen', values: { seen: parkId } };
    await deleteIf(table, primaryKey({ messageShard, taskKey }), unchanged);
  },

  async recordParking(uuid: string, change: Partial<Pick<ParkingRow, 'stepId' | 'failingSince'>>): Promise<void> {
    await update(table, parkingRowKey(uuid), {
      set: change,
      condition: 'attribute_exists(#messageShard)',
    });
  },

  /**
   * Closes a parking row that has no parked messages, or deletes it if it has been closed for `graceMs`. A function
   * that has read an open row may park a message up to a minute later, so an open row is never deleted.
   */
  async closeParking(uuid: string, { closedAt, sweepAt }: ParkingRow, now: number): Promise<void> {
    if (closedAt === undefined) {
      await update(table, parkingRowKey(uuid), {
        set: { closedAt: now },
        condition: '#sweepAt = :seen AND attribute_not_exists(#closedAt)',
        values: { seen: sweepAt },
      });
      return;
    }
    if (now - closedAt < graceMs) return;
    await deleteIf(table, parkingRowKey(uuid), {
      condition: '#sweepAt = :seen AND #closedAt = :closedAt',
      values: { seen: sweepAt, closedAt },
    });
  },
});
