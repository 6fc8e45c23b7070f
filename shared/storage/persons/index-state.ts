import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type IndexState, indexState } from '../../domain/persons/index-state.ts';
import { fromItem, type Item, toItem, unlessConflict } from '../dynamo.ts';

const stateKey: Item = { id: { S: 'indexes' } };

/** What is known of the indexes that were added, in the table that it is about: restored, it says what holds there. */
export const readIndexState = (client: DynamoDBClient, table: string) => ({
  /** Undefined until the first was filled. */
  async indexState(): Promise<IndexState | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: stateKey, ConsistentRead: true }));
    return Item && fromItem(indexState, Item);
  },
});

export const changeIndexState = (client: DynamoDBClient, table: string) => ({
  ...readIndexState(client, table),
  /**
   * Writes what is known, unless somebody else did since; whether it did.
   * @param since the mark of what was read before; undefined where there was nothing
   */
  async putIndexState(state: IndexState, since: string | undefined): Promise<boolean> {
    const unchanged =
      since === undefined
        ? { ConditionExpression: 'attribute_not_exists(id)' }
        : { ConditionExpression: 'mark = :since', ExpressionAttributeValues: { ':since': { S: since } } };
    const write = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: { ...stateKey, ...toItem(state) },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          ...unchanged,
        }),
      ),
    );
    // Our own write, whose answer was lost.
    return write.isDone || write.stored?.mark?.S === state.mark;
  },
});
