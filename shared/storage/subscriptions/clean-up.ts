import { DeleteItemCommand, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { inParts } from '../../domain/in-parts.ts';
import type { CleanUpPayload } from '../../domain/topics/topic.ts';
import { type Item, unlessConflict } from '../dynamo.ts';
import { key, topicGeneration } from './rows.ts';

type Place = NonNullable<CleanUpPayload['after']>;

// The number of parallel deletions. An index accepts at most 1,000 writes per second for one topic.
const width = 50;
const pageRows = 500;

const placeOf = (item: Item): Place => ({
  uuid: item.uuid?.S ?? '',
  topicGeneration: item.topicGeneration?.S ?? '',
});

/** `after` is the position to continue from, or undefined for the beginning. */
type Removed = { readonly isDone: true } | { readonly isDone: false; readonly after: Place | undefined };

export const removeByTopic = (client: DynamoDBClient, table: string) => {
  async function page({ topicUuid, before }: CleanUpPayload, after: Place | undefined) {
    const ExclusiveStartKey = after && {
      topicUuid: { S: topicUuid },
      topicGeneration: { S: after.topicGeneration },
      ...key(after.uuid),
    };
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'byTopic',
        Limit: pageRows,
        KeyConditionExpression: 'topicUuid = :topic AND topicGeneration < :before',
        ExpressionAttributeValues: {
          ':topic': { S: topicUuid },
          ':before': { S: topicGeneration({ topicUuid, generation: before }) },
        },
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    return { items: Items, isLast: LastEvaluatedKey === undefined };
  }

  const remove = (item: Item) =>
    unlessConflict(
      client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: key(item.uuid?.S ?? ''),
          // Keep the row if a subscription to the topic's next generation has replaced it.
          ConditionExpression: 'topicGeneration = :generation',
          ExpressionAttributeValues: { ':generation': item.topicGeneration ?? { S: '' } },
        }),
      ),
    );

  return {
    /**
     * Deletes the subscriptions of all topic generations before `work.before`, except the present generation, until
     * time runs out. The next run repeats deletions that were throttled. Safe to repeat even while the next generation
     * begins, because the present generation is read again for each page.
     */
    async removeByTopic(
      work: CleanUpPayload,
      present: () => Promise<string | undefined>,
      hasTime: () => boolean,
    ): Promise<Removed> {
      let after = work.after;
      for (;;) {
        try {
          const { items, isLast } = await page(work, after);
          const kept = topicGeneration({ ...work, generation: (await present()) ?? '' });
          for (const some of inParts(items, width)) {
            await Promise.all(some.filter(({ topicGeneration: of }) => of?.S !== kept).map(remove));
            after = some.slice(-1).map(placeOf)[0];
            if (!hasTime()) return { isDone: false, after };
          }
          if (isLast) return { isDone: true };
        } catch (error) {
          if (hasTime()) throw error;
          return { isDone: false, after };
        }
      }
    },
  };
};
