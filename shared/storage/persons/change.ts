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
import type { Changeable, KeptUntil, LineOfImport, Mark, PersonChange } from '../../domain/imports/last-change.ts';
import { fromItem, type Item, toItem, unlessConflict } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { update } from '../update.ts';
import { markKey, writesOf } from './change-rows.ts';
import { follow } from './follow.ts';
import { noneGone } from './gone.ts';
import { changeableRow, markRow } from './row-schemas.ts';
import { goneKey, isFreeAt, personKey } from './rows.ts';

// Epoch seconds, of the year 9999: a row without would be another one to older releases.
const endless = 253_370_764_800;

type Applied =
  | { readonly is: 'done' }
  /** Somebody has changed one of the persons since they were read. */
  | { readonly is: 'outrun' }
  /** A change of this id was applied before. */
  | { readonly is: 'marked'; readonly by: z.infer<typeof markRow> };

export const write = (client: DynamoDBClient, table: string) => {
  const read = async (Key: Item): Promise<z.infer<typeof changeableRow> | undefined> => {
    const ProjectionExpression = 'attributes, lastChange, expiresAt';
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key, ConsistentRead: true, ProjectionExpression }),
    );
    return Item && fromItem(changeableRow, Item);
  };
  /** False where the condition fails. */
  const write = async ({ Put, Update }: TransactWriteItem): Promise<boolean> => {
    const sending = Put
      ? client.send(new PutItemCommand(Put as PutItemCommandInput))
      : client.send(new UpdateItemCommand(Update as UpdateItemCommandInput));
    return (await unlessConflict<unknown>(sending)).isDone;
  };

  return {
    ...follow(client, table),
    /** A person as changes find it, or what is remembered of one who is gone. */
    async changeable(uin: string, now: number): Promise<Changeable> {
      const person = await read(personKey(uin));
      if (person !== undefined) return person;
      const { lastChange, expiresAt = 0 } = (await read(goneKey(uin))) ?? {};
      // DynamoDB removes expired rows late.
      return expiresAt * 1000 > now ? { lastChange, isGone: true } : {};
    },
    /** Has what is remembered of somebody who is gone not end. */
    async rememberGone(uin: string): Promise<void> {
      const set = { expiresAt: endless };
      await update(client, table, goneKey(uin), { set, condition: 'attribute_exists(#id)', names: ['id'] });
    },
    /** The mark that a change of this id has left; undefined where there is none, or none any more. */
    async marked(id: string, now: number): Promise<LineOfImport | undefined> {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: markKey(id), ConsistentRead: true }),
      );
      return Item && Number(Item.expiresAt?.N) * 1000 > now ? fromItem(markRow, Item) : undefined;
    },
    /** Changes persons, all or none, where each still is as it was read, and leaves the mark of the change. */
    async apply(
      changes: readonly PersonChange[],
      mark: Mark | undefined,
      now: number,
      keptUntil: KeptUntil,
    ): Promise<Applied> {
      const seconds = Math.floor(now / 1000);
      const writes = changes.flatMap((one) => [
        ...writesOf(table, one, keptUntil.gone),
        ...(one.isDrawn ? [noneGone(table, one.uin, seconds)] : []),
      ]);
      const [only, ...others] = writes;
      if (mark === undefined && only !== undefined && others.length === 0) {
        return { is: (await write(only)) ? 'done' : 'outrun' };
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
      const stored = mark && done.refused.get(0);
      return stored ? { is: 'marked', by: fromItem(markRow, stored) } : { is: 'outrun' };
    },
  };
};
