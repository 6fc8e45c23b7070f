import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { goneKey } from './rows.ts';

export const gone = (client: DynamoDBClient, table: string) => ({
  /**
   * Whether somebody had this UIN who was removed, or merged with another, and is still remembered at `now` (epoch milliseconds).
   * Half a read unit: it may not know yet of somebody who went in this second.
   */
  async isGone(uin: string, now: number): Promise<boolean> {
    const asked = { TableName: table, Key: goneKey(uin), ProjectionExpression: 'expiresAt' };
    const { Item } = await client.send(new GetItemCommand(asked));
    // DynamoDB removes expired rows late.
    return Number(Item?.expiresAt?.N ?? 0) * 1000 > now;
  },
});
