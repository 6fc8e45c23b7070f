import { publicationKey } from '../../../../../shared/domain/deliveries/task.ts';
import type { AwsClient } from '../../../aws/emulators/aws-client.ts';
import type { Activity } from '../activity.ts';
import type { Part, PublishedEvent } from '../state.ts';
import { batchGet, type Item, projectionOf, query, scan } from './table.ts';

const maxTopics = 50;
const maxEvents = 20;

const attributes = ['messageId', 'topicUuid', 'generation', 'topicName', 'topicTitle', 'subject', 'timestamp'];

async function newestMessages(dynamodb: AwsClient, TableName: string, generation: string): Promise<Item[]> {
  const { Items = [] } = await query(dynamodb, {
    TableName,
    IndexName: 'byTopic',
    KeyConditionExpression: 'generation = :generation',
    ExpressionAttributeValues: { ':generation': { S: generation } },
    ScanIndexForward: false,
    Limit: maxEvents,
  });
  return Items;
}

/** Returns the key of the row for the message itself, which is in the message's first shard. */
const publicationRow = (messageId: string): Item => ({
  messageShard: { S: `${messageId}#0` },
  taskKey: { S: publicationKey },
});

/** Reads the newest messages of 50 topics and all messages with recent attempts. No index covers the messages of all topics. */
export async function readEvents(
  dynamodb: AwsClient,
  tables: { readonly topics: string; readonly deliveries: string },
  { tallyOf, latest }: Pick<Activity, 'tallyOf' | 'latest'>,
): Promise<Part<PublishedEvent>> {
  const { Items: topics = [], LastEvaluatedKey } = await scan(dynamodb, {
    TableName: tables.topics,
    Limit: maxTopics,
    ...projectionOf(['generation']),
  });
  const generations = topics.flatMap(({ generation }) => generation?.S ?? []);
  const found = await Promise.all(
    generations.map((generation) => newestMessages(dynamodb, tables.deliveries, generation)),
  );
  const newest = found
    .flat()
    .toSorted((a, b) => (b.timestamp?.S ?? '').localeCompare(a.timestamp?.S ?? ''))
    .slice(0, maxEvents);
  const newestIds = newest.flatMap(({ messageShard }) => messageShard?.S?.split('#')[0] ?? []);
  const items = await batchGet(dynamodb, tables.deliveries, {
    Keys: [...new Set([...newestIds, ...latest().messageIds])].map(publicationRow),
    ...projectionOf(attributes),
  });
  const rows = items.map((item): PublishedEvent => {
    const messageId = item.messageId?.S ?? '';
    return {
      messageId,
      topicUuid: item.topicUuid?.S ?? '',
      generation: item.generation?.S ?? '',
      topic: (item.topicTitle ?? item.topicName)?.S ?? '',
      subject: item.subject?.S,
      publishedAt: item.timestamp?.S ?? '',
      ...tallyOf(messageId),
    };
  });
  rows.sort((a, b) => b.publishedAt.localeCompare(a.publishedAt));
  return { rows: rows.slice(0, maxEvents), hasMore: LastEvaluatedKey !== undefined };
}
