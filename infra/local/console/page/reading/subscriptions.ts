import { unmarshall } from '@aws-sdk/util-dynamodb';
import { stateOf } from '../../../../../shared/domain/subscriptions/show-subscription.ts';
import type { StoredSubscription } from '../../../../../shared/domain/subscriptions/subscription.ts';
import type { AwsClient } from '../../../aws/emulators/aws-client.ts';
import type { Part, Recipients, RecipientsRequest, ShownSubscription } from '../state.ts';
import { batchGet, type Item, projectionOf, query, scan } from './table.ts';

const maxSubscriptions = 50;
const maxRecipients = 10;

const attributes = [
  'uuid',
  'topicName',
  'topicTitle',
  'protocol',
  'address',
  'isActive',
  'isFailing',
  'failingSince',
  'pausedReason',
  'requests',
];

function stateIn(item: Item, now: number): Pick<ShownSubscription, 'state' | 'reason'> {
  const stored = unmarshall(item as Parameters<typeof unmarshall>[0]) as StoredSubscription;
  const { state, stateReason: reason } = stateOf(stored, now);
  return { state, reason };
}

/** Reads up to 50 subscriptions, and all subscriptions with recent attempts. */
export async function readSubscriptions(
  dynamodb: AwsClient,
  TableName: string,
  latest: readonly string[],
): Promise<Part<ShownSubscription>> {
  const reading = projectionOf(attributes);
  const [{ Items = [], LastEvaluatedKey }, tried] = await Promise.all([
    scan(dynamodb, { TableName, Limit: maxSubscriptions, ...reading }),
    batchGet(dynamodb, TableName, { Keys: latest.map((uuid) => ({ uuid: { S: uuid } })), ...reading }),
  ]);
  const items = new Map([...Items, ...tried].map((item) => [item.uuid?.S, item]));
  const rows = [...items.values()].map(
    (item): ShownSubscription => ({
      uuid: item.uuid?.S ?? '',
      topic: (item.topicTitle ?? item.topicName)?.S ?? '',
      protocol: item.protocol?.S ?? '',
      address: item.address?.S ?? '',
      ...stateIn(item, Date.now()),
    }),
  );
  rows.sort((a, b) => a.topic.localeCompare(b.topic) || a.address.localeCompare(b.address));
  return { rows, hasMore: LastEvaluatedKey !== undefined };
}

/** Reads one page of the subscriptions to one generation of a topic. */
export async function readRecipients(
  dynamodb: AwsClient,
  TableName: string,
  { topicUuid, generation, after }: RecipientsRequest,
): Promise<Recipients> {
  const key = { topicUuid: { S: topicUuid }, topicGeneration: { S: `${topicUuid}#${generation}` } };
  const { Items = [], LastEvaluatedKey } = await query(dynamodb, {
    TableName,
    IndexName: 'byTopic',
    KeyConditionExpression: 'topicUuid = :topic AND topicGeneration = :generation',
    ExpressionAttributeValues: { ':topic': key.topicUuid, ':generation': key.topicGeneration },
    Limit: maxRecipients,
    ...(after !== undefined && { ExclusiveStartKey: { ...key, uuid: { S: after } } }),
  });
  return { uuids: Items.flatMap(({ uuid }) => uuid?.S ?? []), next: LastEvaluatedKey?.uuid?.S };
}
