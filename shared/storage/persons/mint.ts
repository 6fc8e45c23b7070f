import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Minted } from '../../domain/persons/claim-uin.ts';
import type { Attributes } from '../../model/persons/attributes.ts';
import type { Registered } from '../../model/persons/registered.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { gone } from './gone.ts';
import { mintRow } from './row-schemas.ts';
import { mintKey, personRow } from './rows.ts';

/** A record of a repeatable mint. `hash` is a function of caller, key and attributes; times are epoch seconds. */
interface MintRecord {
  readonly hash: string;
  readonly expiresAt: number;
}

export const mint = (client: DynamoDBClient, table: string) => {
  const isFree = 'attribute_not_exists(id)';

  async function replay(record: MintRecord): Promise<Minted> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: mintKey(record.hash), ConsistentRead: true }),
    );
    return Item ? { is: 'replayed', uin: fromItem(mintRow, Item).uin } : { is: 'taken' };
  }

  return {
    ...gone(client, table),
    /**
     * Stores a person under a number that nobody has; `taken` when somebody has it. One conditional write.
     * @param mintId of this request alone: by it a write whose answer was lost finds its own row, not a stranger's
     */
    async put(uin: string, attributes: Attributes, mintId?: string, by?: Registered): Promise<Minted> {
      const isOwn = {
        ConditionExpression: `${isFree} OR mintId = :mintId`,
        ExpressionAttributeValues: toItem({ ':mintId': mintId }),
      };
      const condition = mintId === undefined ? { ConditionExpression: isFree } : isOwn;
      const Item = { ...personRow(uin, attributes), ...toItem({ mintId, ...by }) };
      const write = await unlessConflict(client.send(new PutItemCommand({ TableName: table, Item, ...condition })));
      return { is: write.isDone ? 'minted' : 'taken' };
    },
    /**
     * The same together with the record of its key, in one transaction: `replayed` with the first number when the key was
     * used with these attributes before `now` (epoch seconds) and its record has not expired.
     */
    async putOnce(
      uin: string,
      attributes: Attributes,
      record: MintRecord,
      now: number,
      by: Partial<Registered> = {},
    ): Promise<Minted> {
      const recordItem = { ...mintKey(record.hash), ...toItem({ uin, expiresAt: record.expiresAt }) };
      const done = await transact(client, [
        {
          Put: {
            TableName: table,
            Item: recordItem,
            // DynamoDB removes expired rows late; one that has expired is as good as gone.
            ConditionExpression: `${isFree} OR expiresAt <= :now`,
            ExpressionAttributeValues: { ':now': { N: String(now) } },
          },
        },
        {
          Put: {
            TableName: table,
            Item: { ...personRow(uin, attributes), ...toItem(by) },
            ConditionExpression: isFree,
          },
        },
      ]);
      if (done.isDone) return { is: 'minted' };
      return done.refused.has(0) ? replay(record) : { is: 'taken' };
    },
  };
};
