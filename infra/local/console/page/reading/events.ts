import { publicationKey } from '../../../../../shared/domain/deliveries/task.ts';
import type { AwsClient } from '../../../aws/emulators/aws-client.ts';
import type { Activity } from '../activity.ts';
import { maxEvents } from '../newest-events.ts';
import type { Part, PublishedEvent, ShownTopic } from '../state.ts';
import { batchGet, type Item, projectionOf, query, scan } from './table.ts';

const maxTopics = 50;

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

/** Returns the key of a message's row. The row is in the first shard of the message. */
const publicationRow = (messageId: string): Item => ({
  messageShard: { S: `${messageId}#0` },
  taskKey: { S: publicationKey },
});

interface StoredEvents {
  readonly topics: readonly ShownTopic[];
  readonly events: Part<PublishedEvent>;
  /** The message ids of recently attempted test events. No row is stored for a test event. */
  readonly testIds: ReadonlySet<string>;
}

/**
 * Reads the newest messages of up to 50 topics, and all messages with recent attempts. Reads each topic separately,
 * because no index covers all topics.
 */
export async function readEvents(
  dynamodb: AwsClient,
  tables: { readonly topics: string; readonly deliveries: string },
  { tallyOf, latest }: Pick<Activity, 'tallyOf' | 'latest'>,
): Promise<StoredEvents> {
  const { Items: topics = [], LastEvaluatedKey } = await scan(dynamodb, {
    TableName: tables.topics,
    Limit: maxTopics,
    ...projectionOf(['uuid', 'name', 'title', 'generation']),
  });
  const generations = topics.flatMap(({ generation }) => generation?.S ?? []);
  const messages = await Promise.all(
    generations.map((generation) => newestMessages(dynamodb, tables.deliveries, generation)),
  );
  const newest = messages
    .flat()
    .toSorted((a, b) => (b.timestamp?.S ?? '').localeCompare(a.timestamp?.S ?? ''))
    .slice(0, maxEvents);
  const newestIds = newest.flatMap(({ messageShard }) => messageShard?.S?.split('#')[0] ?? []);
  const tried = latest().messageIds;
  const items = await batchGet(dynamodb, tables.deliveries, {
    Keys: [...new Set([...newestIds, ...tried])].map(publicationRow),
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
  const found = new Set(rows.map(({ messageId }) => messageId));
  return {
    topics: topics.map(({ uuid, name, title }) => ({ uuid: uuid?.S ?? '', topic: (title ?? name)?.S ?? '' })),
    events: { rows, hasMore: LastEvaluatedKey !== undefined },
    testIds: new Set(tried.filter((id) => !found.has(id))),
  };
}
