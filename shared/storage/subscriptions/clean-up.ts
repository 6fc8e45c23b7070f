import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inParts } from '../../domain/in-parts.ts';
import type { CleanUpPayload } from '../../domain/topics/topic.ts';
import { type Item, queryPages, toItem } from '../dynamo.ts';
import { deleteIf } from '../update.ts';
import { key, topicGeneration } from './rows.ts';

type Place = NonNullable<CleanUpPayload['after']>;

// The number of parallel deletions. An index accepts at most 1,000 writes per second for one topic.
const width = 50;
const pageSize = 500;

const placeOf = (item: Item): Place => ({
  uuid: item.uuid?.S ?? '',
  topicGeneration: item.topicGeneration?.S ?? '',
});

/** `after` is the position to continue from, or undefined for the beginning. */
type Removed = { readonly isDone: true } | { readonly isDone: false; readonly after: Place | undefined };

export const removeByTopic = (client: DynamoDBClient, table: string) => {
  // Keep the row if a subscription to the topic's next generation has replaced it.
  const remove = ({ uuid, topicGeneration }: Place) =>
    deleteIf(client, table, key(uuid), { condition: '#topicGeneration = :seen', values: { seen: topicGeneration } });

  return {
    /**
     * Deletes the subscriptions of all topic generations before `work.before`, except the present generation, until
     * time runs out. The next run repeats deletions that were throttled. Safe to repeat even while the next generation
     * begins, because the present generation is read again for each page.
     */
    async removeByTopic(
      { topicUuid, before, after }: CleanUpPayload,
      present: () => Promise<string | undefined>,
      hasTime: () => boolean,
    ): Promise<Removed> {
      const query = {
        TableName: table,
        IndexName: 'byTopic',
        KeyConditionExpression: 'topicUuid = :topic AND topicGeneration < :before',
        ExpressionAttributeValues: toItem({
          ':topic': topicUuid,
          ':before': topicGeneration({ topicUuid, generation: before }),
        }),
      };
      const start = after && toItem({ topicUuid, ...after });
      let last = after;
      try {
        for await (const items of queryPages(client, query, { pageSize, start })) {
          const kept = topicGeneration({ topicUuid, generation: (await present()) ?? '' });
          for (const some of inParts(items.map(placeOf), width)) {
            await Promise.all(some.filter((place) => place.topicGeneration !== kept).map(remove));
            last = some.at(-1);
            if (!hasTime()) return { isDone: false, after: last };
          }
        }
        return { isDone: true };
      } catch (error) {
        if (hasTime()) throw error;
        return { isDone: false, after: last };
      }
    },
  };
};
