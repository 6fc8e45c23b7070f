import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { defineStore } from '../../contract/capabilities.ts';
import { personIndexes } from '../../contract/tables.ts';
import type { Minted } from '../../domain/persons/claim-uin.ts';
import { type FoldedAttributes, foldAttributes, indexKeys, type SearchPlan } from '../../domain/persons/plan-search.ts';
import type { Attributes } from '../../model/persons/attributes.ts';
import { dynamo, fromItem, type Item, toItem, unlessConflict } from '../dynamo.ts';

const attributeRecord = z.record(z.string(), z.union([z.string(), z.number()]));
const storedPerson = z.object({ uin: z.string(), attributes: attributeRecord });
const foldedRow = z.object({ folded: attributeRecord });
const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });

const personKey = (uin: string): Item => ({ id: { S: `person#${uin}` } });
const mintKey = (hash: string): Item => ({ id: { S: `mint#${hash}` } });

/** The row of a person: the attributes as they are read, folded as they are searched, and the keys of the indexes. */
export const personRow = (uin: string, attributes: Attributes): Item => {
  const folded = foldAttributes(attributes);
  const keys = indexKeys(folded, Object.values(personIndexes));
  return { ...personKey(uin), ...toItem({ uin, attributes, folded, ...keys }) };
};

/** A record of a repeatable mint. `hash` is a function of caller, key and attributes; times are epoch seconds. */
export interface MintRecord {
  readonly hash: string;
  readonly expiresAt: number;
}

const read = (client: DynamoDBClient, table: string) => ({
  /**
   * The given attributes of a person, as far as the person has them, with `uin`; undefined when there is no such person.
   * One read by key that fetches nothing else.
   */
  async get(uin: string, names: readonly string[]): Promise<Attributes | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: personKey(uin),
        // Consistent: a person is read in the moment after the registration.
        ConsistentRead: true,
        ProjectionExpression: ['uin', ...names.map((_, index) => `attributes.#n${index}`)].join(', '),
        ...(names.length === 0
          ? {}
          : { ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])) }),
      }),
    );
    if (Item === undefined) return undefined;
    const row = fromItem(storedPerson, { attributes: { M: {} }, ...Item });
    return { ...row.attributes, uin: row.uin };
  },
});

/** A page of the persons that a plan finds. `read` counts the rows that it took. */
export interface FoundPage {
  readonly uins: string[];
  readonly read: number;
  readonly next: Item | undefined;
}

const isEqual = (folded: FoldedAttributes, wanted: FoldedAttributes): boolean =>
  Object.entries(wanted).every(([name, value]) => folded[name] === value);

/** `folded` against the rest of a plan, as a filter. */
function filterOf(rest: FoldedAttributes) {
  const entries = Object.entries(rest);
  return {
    conditions: entries.map((_, index) => `folded.#f${index} = :f${index}`),
    names: Object.fromEntries(entries.map(([name], index) => [`#f${index}`, name])),
    values: toItem(Object.fromEntries(entries.map(([, value], index) => [`:f${index}`, value]))),
  };
}

const find = (client: DynamoDBClient, table: string) => {
  async function byUin(uin: string, rest: FoldedAttributes): Promise<FoundPage> {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: personKey(uin),
        ConsistentRead: true,
        ProjectionExpression: 'folded',
      }),
    );
    const isFound = Item !== undefined && isEqual(fromItem(foldedRow, Item).folded, rest);
    return { uins: isFound ? [uin] : [], read: Item ? 1 : 0, next: undefined };
  }

  return {
    /** One page (at most 1 MB read) of the persons that a plan finds, in no order; `from` is `next` of the page before. */
    async page(plan: SearchPlan, from?: Item): Promise<FoundPage> {
      if (plan.by === 'uin') return byUin(plan.uin, plan.rest);
      const filter = filterOf(plan.rest);
      const isPerson = { condition: 'begins_with(id, :person)', values: { ':person': { S: 'person#' } } };
      const conditions = plan.by === 'scan' ? [isPerson.condition, ...filter.conditions] : filter.conditions;
      const keys = plan.by === 'index' ? Object.entries(plan.keys) : [];
      const names = { ...filter.names, ...Object.fromEntries(keys.map(([name], index) => [`#k${index}`, name])) };
      const values = {
        ...filter.values,
        ...(plan.by === 'scan' ? isPerson.values : {}),
        ...Object.fromEntries(keys.map(([, value], index) => [`:k${index}`, { S: value }])),
      };
      const input = {
        TableName: table,
        ProjectionExpression: 'id',
        ...(conditions.length === 0 ? {} : { FilterExpression: conditions.join(' AND ') }),
        ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: values,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      };
      const condition = keys.map((_, index) => `#k${index} = :k${index}`).join(' AND ');
      const command =
        plan.by === 'scan'
          ? client.send(new ScanCommand(input))
          : client.send(new QueryCommand({ ...input, IndexName: plan.index, KeyConditionExpression: condition }));
      const { Items = [], ScannedCount = 0, LastEvaluatedKey } = await command;
      return { uins: Items.map((item) => uinOf(item)), read: ScannedCount, next: LastEvaluatedKey };
    },
  };
};

const uinOf = (item: Item): string => (item.id?.S ?? '').slice('person#'.length);

const conflictPauseMs = 30;

const mint = (client: DynamoDBClient, table: string) => {
  const isFree = 'attribute_not_exists(id)';

  async function replay(record: MintRecord): Promise<Minted> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: mintKey(record.hash), ConsistentRead: true }),
    );
    return Item ? { is: 'replayed', uin: fromItem(mintRow, Item).uin } : { is: 'taken' };
  }

  return {
    /**
     * Stores a person under a number that nobody has; `taken` when somebody has it. One conditional write.
     * @param mintId of this request alone: by it a write whose answer was lost finds its own row, not a stranger's
     */
    async put(uin: string, attributes: Attributes, mintId?: string): Promise<Minted> {
      const isOwn = {
        ConditionExpression: `${isFree} OR mintId = :mintId`,
        ExpressionAttributeValues: toItem({ ':mintId': mintId }),
      };
      const condition = mintId === undefined ? { ConditionExpression: isFree } : isOwn;
      const Item = { ...personRow(uin, attributes), ...toItem({ mintId }) };
      const write = await unlessConflict(client.send(new PutItemCommand({ TableName: table, Item, ...condition })));
      return { is: write.isDone ? 'minted' : 'taken' };
    },
    /**
     * The same together with the record of its key, in one transaction: `replayed` with the first number when the key was
     * used with these attributes before `now` (epoch seconds) and its record has not expired.
     */
    async putOnce(uin: string, attributes: Attributes, record: MintRecord, now: number): Promise<Minted> {
      const recordItem = { ...mintKey(record.hash), ...toItem({ uin, expiresAt: record.expiresAt }) };
      try {
        await client.send(
          new TransactWriteItemsCommand({
            TransactItems: [
              {
                Put: {
                  TableName: table,
                  Item: recordItem,
                  // DynamoDB removes expired rows late; one that has expired is as good as gone.
                  ConditionExpression: `${isFree} OR expiresAt <= :now`,
                  ExpressionAttributeValues: { ':now': { N: String(now) } },
                },
              },
              { Put: { TableName: table, Item: personRow(uin, attributes), ConditionExpression: isFree } },
            ],
          }),
        );
        return { is: 'minted' };
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const [record_, person_] = error.CancellationReasons ?? [];
        if (record_?.Code === 'ConditionalCheckFailed') return replay(record);
        if (person_?.Code === 'ConditionalCheckFailed') return { is: 'taken' };
        // The same key at the same moment from another call: that one decides, and this one looks again in a moment.
        if (record_?.Code === 'TransactionConflict') {
          await sleep(conflictPauseMs);
          return { is: 'taken' };
        }
        throw error;
      }
    },
  };
};

export const persons = defineStore({ name: 'persons', client: dynamo, permissions: { read, find, mint } });
