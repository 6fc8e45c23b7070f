import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { defineStore } from '../contract/capabilities.ts';
import type { Attributes } from '../model/attributes.ts';
import { dynamo, fromItem, type Item, toItem, unlessRefused } from './dynamo.ts';

const attributeRecord = z.record(z.string(), z.union([z.string(), z.number()]));
const personRow = z.object({ uin: z.string(), attributes: attributeRecord });
const mintRow = z.object({ uin: z.string(), expiresAt: z.int() });

const personKey = (uin: string): Item => ({ id: { S: `person#${uin}` } });
const mintKey = (hash: string): Item => ({ id: { S: `mint#${hash}` } });
const person = (uin: string, attributes: Attributes): Item => ({ ...personKey(uin), ...toItem({ uin, attributes }) });

/** A record of a repeatable mint. `hash` is a function of caller, key and attributes; times are epoch seconds. */
export interface MintRecord {
  readonly hash: string;
  readonly expiresAt: number;
}

export type Minted =
  | { readonly is: 'minted' }
  | { readonly is: 'taken' }
  | { readonly is: 'replayed'; readonly uin: string };

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
        ProjectionExpression: ['uin', ...names.map((_, index) => `attributes.#n${index}`)].join(', '),
        ...(names.length === 0
          ? {}
          : { ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])) }),
      }),
    );
    if (Item === undefined) return undefined;
    const row = fromItem(personRow, { attributes: { M: {} }, ...Item });
    return { ...row.attributes, uin: row.uin };
  },
});

const mint = (client: DynamoDBClient, table: string) => {
  const isFree = 'attribute_not_exists(id)';

  async function replay(record: MintRecord): Promise<Minted> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: mintKey(record.hash), ConsistentRead: true }),
    );
    return Item ? { is: 'replayed', uin: fromItem(mintRow, Item).uin } : { is: 'taken' };
  }

  return {
    /** Stores a person under a number that nobody has; `taken` when somebody has it. One conditional write. */
    async put(uin: string, attributes: Attributes): Promise<Minted> {
      const write = await unlessRefused(
        client.send(
          new PutItemCommand({ TableName: table, Item: person(uin, attributes), ConditionExpression: isFree }),
        ),
      );
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
              { Put: { TableName: table, Item: person(uin, attributes), ConditionExpression: isFree } },
            ],
          }),
        );
        return { is: 'minted' };
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const [record_, person_] = error.CancellationReasons ?? [];
        if (record_?.Code === 'ConditionalCheckFailed') return replay(record);
        if (person_?.Code === 'ConditionalCheckFailed') return { is: 'taken' };
        // The same key at the same moment from another call: that one decides, and this one looks again.
        if (record_?.Code === 'TransactionConflict') return { is: 'taken' };
        throw error;
      }
    },
  };
};

export const persons = defineStore({ name: 'persons', client: dynamo, permissions: { read, mint } });
