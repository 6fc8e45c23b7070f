import { publicationKey } from '../../../../../shared/domain/deliveries/task-key.ts';
import type { AwsClient } from '../../../aws/emulators/aws-client.ts';
import type { Heard } from '../activity.ts';
import type { Part, PublishedEvent } from '../state.ts';
import { batchGet, type Item, projectionOf, query, scan } from './table.ts';

const mostTopics = 50;
const mostEvents = 20;

const attributes = ['messageId', 'topicUuid', 'generation', 'topicName', 'subject', 'timestamp'];

/** The keys of a topic's newest messages. */
async function newestOf(dynamodb: AwsClient, TableName: string, generation: string): Promise<Item[]> {
  const { Items = [] } = await query(dynamodb, {
    TableName,
    IndexName: 'byTopic',
    KeyConditionExpression: 'generation = :generation',
    ExpressionAttributeValues: { ':generation': { S: generation } },
    ScanIndexForward: false,
    Limit: mostEvents,
  });
  return Items;
}

/** The key of a message's own row, which lies in its first slice. */
const ownRow = (messageId: string): Item => ({ messageSlice: { S: `${messageId}#0` }, taskKey: { S: publicationKey } });

/**
 * The newest messages of 50 topics, and of those that were tried lately, whatever their topic: no index has the messages of
 * all.
 */
export async function readEvents(
  dynamodb: AwsClient,
  tables: { readonly topics: string; readonly deliveries: string },
  { tallyOf, latest }: Pick<Heard, 'tallyOf' | 'latest'>,
): Promise<Part<PublishedEvent>> {
  const { Items: topics = [], LastEvaluatedKey } = await scan(dynamodb, {
    TableName: tables.topics,
    Limit: mostTopics,
    ...projectionOf(['generation']),
  });
  const generations = topics.flatMap(({ generation }) => generation?.S ?? []);
  const found = await Promise.all(generations.map((one) => newestOf(dynamodb, tables.deliveries, one)));
  const newest = found
    .flat()
    .toSorted((a, b) => (b.timestamp?.S ?? '').localeCompare(a.timestamp?.S ?? ''))
    .slice(0, mostEvents);
  const known = newest.flatMap(({ messageSlice }) => messageSlice?.S?.split('#')[0] ?? []);
  const items = await batchGet(dynamodb, tables.deliveries, {
    Keys: [...new Set([...known, ...latest().messageIds])].map(ownRow),
    ...projectionOf(attributes),
  });
  const rows = items.map((item): PublishedEvent => {
    const messageId = item.messageId?.S ?? '';
    return {
      messageId,
      topicUuid: item.topicUuid?.S ?? '',
      generation: item.generation?.S ?? '',
      topicName: item.topicName?.S ?? '',
      subject: item.subject?.S,
      publishedAt: item.timestamp?.S ?? '',
      ...tallyOf(messageId),
    };
  });
  rows.sort((a, b) => b.publishedAt.localeCompare(a.publishedAt));
  return { rows: rows.slice(0, mostEvents), hasMore: LastEvaluatedKey !== undefined };
}
