import { DeleteItemCommand, type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { unlessConflict } from '../dynamo.ts';
import { key, topicGeneration } from './rows.ts';

export const cleanUp = (client: DynamoDBClient, table: string) => ({
  /**
   * Removes the subscriptions of every life of a topic that began before `before`, but for `present`, the one it is in.
   * Safe to run again, and beside the beginning of its next life.
   */
  async removeAll(topicUuid: string, before: string, present: string | undefined): Promise<void> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: 'byTopic',
        KeyConditionExpression: 'topicUuid = :topic AND topicGeneration < :before',
        ExpressionAttributeValues: {
          ':topic': { S: topicUuid },
          ':before': { S: topicGeneration({ topicUuid, generation: before }) },
        },
      },
    );
    const kept = present === undefined ? undefined : topicGeneration({ topicUuid, generation: present });
    for await (const { Items = [] } of pages) {
      const old = Items.filter(({ topicGeneration: life }) => life?.S !== kept);
      const removals = old.map(({ uuid, topicGeneration: life }) =>
        unlessConflict(
          client.send(
            new DeleteItemCommand({
              TableName: table,
              Key: key(uuid?.S ?? ''),
              // A subscription to the topic's next life has taken this uuid over meanwhile: it stays.
              ConditionExpression: 'topicGeneration = :life',
              ExpressionAttributeValues: { ':life': life ?? { S: '' } },
            }),
          ),
        ),
      );
      await Promise.all(removals);
    }
  },
});
