import { DeleteItemCommand, type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { unlessConflict } from '../dynamo.ts';
import { key, topicGeneration } from './rows.ts';

export const cleanUp = (client: DynamoDBClient, table: string) => ({
  /**
   * Removes the subscriptions of every generation of a topic before `before`, but for `present`, the one it has now.
   * Safe to run again, and beside the beginning of its next generation.
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
      const old = Items.filter(({ topicGeneration: generation }) => generation?.S !== kept);
      const removals = old.map(({ uuid, topicGeneration: generation }) =>
        unlessConflict(
          client.send(
            new DeleteItemCommand({
              TableName: table,
              Key: key(uuid?.S ?? ''),
              // A subscription to the topic's next generation has taken this uuid over meanwhile: it stays.
              ConditionExpression: 'topicGeneration = :generation',
              ExpressionAttributeValues: { ':generation': generation ?? { S: '' } },
            }),
          ),
        ),
      );
      await Promise.all(removals);
    }
  },
});
