import { createHash } from 'node:crypto';
import {
  PutItemCommand,
  type PutItemCommandInput,
  type TransactWriteItem,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { personIndexes } from '../../contract/tables.ts';
import {
  type LineOfImport,
  type Mark,
  markRow,
  type PersonChange,
  type PersonState,
  personStateRow,
} from '../../domain/imports/decide-change.ts';
import { keyNames } from '../../domain/persons/added-indexes.ts';
import type { HashUin } from '../../domain/persons/uin-hasher.ts';
import { type DynamoTable, fromItem, getItem, type Item, readRow, toItem, unlessConflict } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { conditionOf, returnsExisting, transact, update, updateOf } from '../writes.ts';
import { resolve } from './find.ts';
import { formerKey, isFreeAt, notRetired, personFields, personKey, personRow, retiredKey } from './rows.ts';

const markKey = (id: string): Item => ({
  id: { S: `change#${createHash('sha256').update(id).digest('hex')}` },
});

const indexKeyNames = keyNames(personIndexes);

const unchangedSince = ({ lastChange: last }: PersonState) =>
  last === undefined
    ? { condition: 'attribute_exists(#id) AND attribute_not_exists(#lastChange)' }
    : {
        condition: '#lastChange.#importId = :wasOf AND #lastChange.#line = :wasLine',
        values: { wasOf: last.importId, wasLine: last.line },
      };

function writesOf(
  { TableName }: DynamoTable,
  { uin, before, after, lastChange: last, keptUin, formerUins, isMinted, registered }: PersonChange,
  uinHash: string,
  expiresAt: number,
): TransactWriteItem[] {
  const Key = personKey(uin);
  if (after === undefined) {
    // The row of a merged person is needed for as long as the kept person is registered.
    const left = keptUin === undefined ? { formerUins: before.formerUins, expiresAt } : { keptUin };
    return [
      { Delete: { TableName, Key, ...conditionOf(unchangedSince(before)) } },
      { Put: { TableName, Item: retiredKey(uinHash) } },
      { Put: { TableName, Item: { ...formerKey(uin), ...toItem({ lastChange: last, ...left }) } } },
    ];
  }
  if (before.attributes === undefined) {
    const Item = { ...personRow(uin, after), ...toItem({ lastChange: last, ...registered }) };
    const put = { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(id)' } };
    return isMinted ? [put, notRetired(TableName, uinHash)] : [put];
  }
  const fields = personFields(uin, after);
  const remove = indexKeyNames.filter((name) => !Object.hasOwn(fields, name));
  const update = updateOf({ set: { ...fields, lastChange: last, formerUins }, remove, ...unchangedSince(before) });
  return [{ Update: { TableName, Key, ...update } }];
}

interface Applying {
  readonly now: number;
  /** The expiry time (epoch seconds) of markers and of rows for removed persons. */
  readonly expiresAt: number;
  readonly hashUin: HashUin;
}

type Applied =
  | { readonly is: 'done' }
  | { readonly is: 'conflict' }
  | { readonly is: 'marked'; readonly by: Omit<Mark, 'id'> };

const readState = (table: DynamoTable, Key: Item) =>
  readRow(personStateRow, table, Key, { ProjectionExpression: 'id, attributes, lastChange, formerUins' });

async function writeOne({ client }: DynamoTable, { Put, Update }: TransactWriteItem): Promise<boolean> {
  const sending = Put
    ? client.send(new PutItemCommand(Put as PutItemCommandInput))
    : client.send(new UpdateItemCommand(Update as UpdateItemCommandInput));
  return (await unlessConflict<unknown>(sending)).isDone;
}

const write = (table: DynamoTable) => ({
  ...resolve(table),
  async personState(uin: string, uinHash: string): Promise<PersonState> {
    const person = await readState(table, personKey(uin));
    if (person !== undefined) return person;
    const [former, retired] = await Promise.all([
      readState(table, formerKey(uin)),
      readState(table, retiredKey(uinHash)),
    ]);
    return { ...former, isDeleted: retired !== undefined };
  },
  /**
   * Sets when the row of a merged person expires. Call this function after the kept person has been removed.
   * @param expiresAt epoch seconds
   */
  async expireFormer(uin: string, expiresAt: number): Promise<void> {
    const set = { expiresAt };
    await update(table, formerKey(uin), { set, condition: 'attribute_exists(#id)' });
  },
  /** Returns the marker of the change with this id; undefined if there is no marker or if the marker has expired. */
  async marked(id: string, now: number): Promise<LineOfImport | undefined> {
    const item = await getItem(table, markKey(id));
    return item && Number(item.expiresAt?.N) * 1000 > now ? fromItem(markRow, item) : undefined;
  },
  /** Changes all given persons, or none if any has changed since it was read. Also writes the change's mark. */
  async apply(
    changes: readonly PersonChange[],
    mark: Mark | undefined,
    { now, expiresAt, hashUin }: Applying,
  ): Promise<Applied> {
    const writes = changes.flatMap((one) => writesOf(table, one, hashUin(one.uin), expiresAt));
    const [only, ...others] = writes;
    if (mark === undefined && only !== undefined && others.length === 0) {
      return { is: (await writeOne(table, only)) ? 'done' : 'conflict' };
    }
    const { id = '', ...by } = mark ?? {};
    const marking = mark && {
      Put: {
        TableName: table.TableName,
        Item: { ...markKey(id), ...toItem({ ...by, expiresAt }) },
        ...isFreeAt(Math.floor(now / 1000)),
        ...returnsExisting,
      },
    };
    const done = await transact(table, [...(marking ? [marking] : []), ...writes]);
    if (done.isDone) return { is: 'done' };
    const stored = mark && done.failed.get(0);
    return stored ? { is: 'marked', by: fromItem(markRow, stored) } : { is: 'conflict' };
  },
});

/** Writes the changes of imports. The bundles of operations do not contain this separate store. */
export const personChanges = tableStore('personChanges', { write, resolve });
