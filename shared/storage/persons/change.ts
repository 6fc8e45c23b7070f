import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  type TransactWriteItem,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type * as z from 'zod/mini';
import type { KeptUntil, LineOfImport, Mark, PersonChange, PersonState } from '../../domain/imports/decide-change.ts';
import { fromItem, type Item, toItem, unlessConflict } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { update } from '../update.ts';
import { markKey, writesOf } from './change-rows.ts';
import { resolve } from './resolve-uin.ts';
import { markRow, personStateRow } from './row-schemas.ts';
import { isFreeAt, noTombstone, personKey, tombstoneKey } from './rows.ts';

// Epoch seconds in the year 9999, because row schemas require an expiry.
const neverExpires = 253_370_764_800;

type Applied =
  | { readonly is: 'done' }
  | { readonly is: 'conflict' }
  | { readonly is: 'marked'; readonly by: z.infer<typeof markRow> };

export const write = (client: DynamoDBClient, table: string) => {
  const read = async (Key: Item): Promise<z.infer<typeof personStateRow> | undefined> => {
    const ProjectionExpression = 'attributes, lastChange, expiresAt';
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key, ConsistentRead: true, ProjectionExpression }),
    );
    return Item && fromItem(personStateRow, Item);
  };
  const write = async ({ Put, Update }: TransactWriteItem): Promise<boolean> => {
    const sending = Put
      ? client.send(new PutItemCommand(Put as PutItemCommandInput))
      : client.send(new UpdateItemCommand(Update as UpdateItemCommandInput));
    return (await unlessConflict<unknown>(sending)).isDone;
  };

  return {
    ...resolve(client, table),
    async personState(uin: string, now: number): Promise<PersonState> {
      const person = await read(personKey(uin));
      if (person !== undefined) return person;
      const { lastChange, expiresAt = 0 } = (await read(tombstoneKey(uin))) ?? {};
      // The row may have expired, because DynamoDB deletes expired rows late.
      return expiresAt * 1000 > now ? { lastChange, isDeleted: true } : {};
    },
    async keepTombstone(uin: string): Promise<void> {
      const set = { expiresAt: neverExpires };
      await update(client, table, tombstoneKey(uin), { set, condition: 'attribute_exists(#id)', names: ['id'] });
    },
    /** Returns the marker of the change with this id; undefined if there is no marker or if the marker has expired. */
    async marked(id: string, now: number): Promise<LineOfImport | undefined> {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: markKey(id), ConsistentRead: true }),
      );
      return Item && Number(Item.expiresAt?.N) * 1000 > now ? fromItem(markRow, Item) : undefined;
    },
    /** Changes all persons, or no person if any of them has changed since the read. Also writes the change's mark. */
    async apply(
      changes: readonly PersonChange[],
      mark: Mark | undefined,
      now: number,
      keptUntil: KeptUntil,
    ): Promise<Applied> {
      const seconds = Math.floor(now / 1000);
      const writes = changes.flatMap((one) => [
        ...writesOf(table, one, keptUntil.tombstone),
        ...(one.isMinted ? [noTombstone(table, one.uin, seconds)] : []),
      ]);
      const [only, ...others] = writes;
      if (mark === undefined && only !== undefined && others.length === 0) {
        return { is: (await write(only)) ? 'done' : 'conflict' };
      }
      const { id = '', ...by } = mark ?? {};
      const marking = mark && {
        Put: {
          TableName: table,
          Item: { ...markKey(id), ...toItem({ ...by, expiresAt: keptUntil.mark }) },
          ...isFreeAt(seconds),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
        },
      };
      const done = await transact(client, [...(marking ? [marking] : []), ...writes]);
      if (done.isDone) return { is: 'done' };
      const stored = mark && done.failed.get(0);
      return stored ? { is: 'marked', by: fromItem(markRow, stored) } : { is: 'conflict' };
    },
  };
};
