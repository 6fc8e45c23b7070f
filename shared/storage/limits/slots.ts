import { type DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { Slot } from '../../domain/subscriptions/subscription.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { slotRow } from './row-schemas.ts';

// DynamoDB's TTL reads epoch seconds.
const expiry = (until: number): number => Math.ceil(until / 1000);

export const slots = (client: DynamoDBClient, table: string) => {
  async function heldAt(id: string, now: number) {
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

  /** False when somebody else took it at this moment. */
  async function put({ id, slot, holder }: Slot, until: number, now: number): Promise<boolean> {
    const done = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: toItem({ id, slot, holder, until, expiresAt: expiry(until) }),
          ConditionExpression: 'attribute_not_exists(id) OR #until <= :now',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: toItem({ ':now': now }),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    // Our own write, whose answer was lost, is not somebody else's.
    return done.isDone || done.stored?.holder?.S === holder;
  }

  return {
    /**
     * Takes one of `most` slots until a time, for a holder that no one else is. However many ask at once, no more than
     * `most` are held. Times are epoch milliseconds.
     * @returns the slot, or when one is free again
     */
    async takeSlot(
      { id, holder, most, until }: { id: string; holder: string; most: number; until: number },
      now: number,
    ): Promise<Slot | { readonly freeAt: number }> {
      for (let tries = 0; ; tries++) {
        const held = await heldAt(id, now);
        if (held.length >= most) {
          const ends = held.map((one) => one.until).toSorted((a, b) => a - b);
          return { freeAt: ends[held.length - most] ?? now };
        }
        const taken = new Set(held.map(({ slot }) => slot));
        const open = Array.from({ length: most }, (_, number) => String(number)).filter((slot) => !taken.has(slot));
        // Holders start at different ones, so that those who ask at once seldom meet.
        const slot = open[(Buffer.from(holder).at(-1 - (tries % 8)) ?? 0) % open.length] ?? '0';
        if (await put({ id, slot, holder }, until, now)) return { id, slot, holder };
      }
    },
  };
};
