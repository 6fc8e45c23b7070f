import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { Slot } from '../../domain/subscriptions/subscription.ts';
import { fromItem, toItem } from '../dynamo.ts';
import { deleteIf, putIf } from '../update.ts';
import { slotRow } from './row-schemas.ts';

// DynamoDB expects expiry times in epoch seconds.
const expiry = (until: number): number => Math.ceil(until / 1000);

export const acquireSlot = (client: DynamoDBClient, table: string) => {
  async function heldSlotsAt(id: string, now: number) {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: toItem({ ':id': id }),
      },
    );
    const rows = (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
    return rows.map((row) => fromItem(slotRow, row)).filter(({ until }) => until > now);
  }

  async function put({ id, slot, holder }: Slot, until: number, now: number): Promise<boolean> {
    const row = toItem({ id, slot, holder, until, expiresAt: expiry(until) });
    const free = { condition: 'attribute_not_exists(#id) OR #until <= :now', values: { now } };
    const done = await putIf(client, table, row, free);
    // If the response to an earlier attempt was lost, the stored row may come from this call.
    return done.isDone || done.stored?.holder?.S === holder;
  }

  return {
    /**
     * Acquires one of `max` slots for a holder. Concurrent callers cannot exceed `max`. All times are in epoch
     * milliseconds.
     * @returns the slot, or the time at which the next slot expires
     */
    async acquireSlot(
      { id, holder, max, until }: { id: string; holder: string; max: number; until: number },
      now: number,
    ): Promise<Slot | { readonly freeAt: number }> {
      for (let tries = 0; ; tries++) {
        const held = await heldSlotsAt(id, now);
        if (held.length >= max) {
          const ends = held.map((one) => one.until).toSorted((a, b) => a - b);
          return { freeAt: ends[held.length - max] ?? now };
        }
        const heldSlots = new Set(held.map(({ slot }) => slot));
        const open = Array.from({ length: max }, (_, number) => String(number)).filter((slot) => !heldSlots.has(slot));
        // The holder's id selects the first slot to try, so that concurrent holders rarely compete for a slot.
        const slot = open[(Buffer.from(holder).at(-1 - (tries % 8)) ?? 0) % open.length] ?? '0';
        if (await put({ id, slot, holder }, until, now)) return { id, slot, holder };
      }
    },
  };
};

export const releaseSlot = (client: DynamoDBClient, table: string) => ({
  /** Releases a slot, unless another holder has acquired it. */
  async releaseSlot({ id, slot, holder }: Slot): Promise<void> {
    await deleteIf(client, table, toItem({ id, slot }), { condition: '#holder = :holder', values: { holder } });
  },
});
