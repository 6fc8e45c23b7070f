import { type Lane, type LaneQueue, queuesOf } from '../domain/deliveries/channels.ts';
import { buckets } from './buckets.ts';
import { anyObject, type Capability } from './capability.ts';
import { namesOf } from './deployment-names.ts';
import { importCapabilities } from './import-capabilities.ts';
import { type DeliveryQueue, deliveryQueues, type SentQueue, sentQueues } from './queue-names.ts';
import { type PersonIndexName, personIndexes } from './tables.ts';

type QueueCapabilities = {
  readonly [Q in SentQueue as `queues:${Q}`]: { readonly queue: Q; readonly actions: readonly ['sqs:SendMessage'] };
};

/** For each queue, the capability to send messages to the queue, such as `queues:fanOut`. */
const queueCapabilities = Object.fromEntries(
  Object.keys(sentQueues).map((queue) => [`queues:${queue}`, { queue, actions: ['sqs:SendMessage'] }]),
) as unknown as QueueCapabilities;

type BacklogCapabilities = {
  readonly [Q in DeliveryQueue as `backlog:${Q}`]: {
    readonly queue: Q;
    readonly actions: readonly ['sqs:GetQueueAttributes'];
  };
};

/** For each queue, the capability to read the number of its messages, such as `backlog:slow`. */
const backlogCapabilities = Object.fromEntries(
  Object.keys(deliveryQueues).map((queue) => [`backlog:${queue}`, { queue, actions: ['sqs:GetQueueAttributes'] }]),
) as unknown as BacklogCapabilities;

/** Every capability. A function gets only the capabilities that it declares in `uses`. */
export const capabilities = {
  'persons:read': { table: 'persons', actions: ['dynamodb:GetItem'] },
  'persons:readMany': { table: 'persons', actions: ['dynamodb:BatchGetItem'] },
  'persons:find': {
    table: 'persons',
    actions: ['dynamodb:GetItem', 'dynamodb:Scan'],
    queries: Object.keys(personIndexes) as PersonIndexName[],
  },
  ...importCapabilities,
  'indexing:fill': {
    table: 'persons',
    actions: ['dynamodb:Scan', 'dynamodb:UpdateItem'],
    queries: Object.keys(personIndexes) as PersonIndexName[],
  },
  'indexing:change': { table: 'persons', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'persons:mint': {
    table: 'persons',
    actions: ['dynamodb:PutItem', 'dynamodb:ConditionCheckItem', 'dynamodb:GetItem'],
  },
  'documents:read': {
    bucket: 'documents',
    prefix: buckets.documents.documents,
    actions: ['s3:GetObject', 's3:ListBucket'],
    wildcard: anyObject,
  },
  'documents:inspect': {
    bucket: 'documents',
    prefix: buckets.documents.documents,
    actions: ['s3:ListBucket'],
    wildcard: anyObject,
  },
  'documentLinks:read': { table: 'documentLinks', actions: ['dynamodb:Query'] },
  'documentLinks:change': {
    table: 'documentLinks',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
  },
  'renditions:write': {
    bucket: 'documents',
    prefix: buckets.documents.renditions,
    actions: ['s3:GetObject', 's3:PutObject', 's3:PutObjectTagging', 's3:ListBucket'],
    wildcard: anyObject,
  },
  'messages:write': {
    bucket: 'documents',
    prefix: buckets.documents.messages,
    actions: ['s3:PutObject'],
    wildcard: anyObject,
  },
  'messages:readWrite': {
    bucket: 'documents',
    prefix: buckets.documents.messages,
    actions: ['s3:GetObject', 's3:PutObject'],
    wildcard: anyObject,
  },
  'topics:read': { table: 'topics', actions: ['dynamodb:GetItem'] },
  'topics:list': { table: 'topics', actions: ['dynamodb:Scan'] },
  'topics:create': { table: 'topics', actions: ['dynamodb:UpdateItem'] },
  'topics:remove': { table: 'topics', actions: ['dynamodb:DeleteItem'] },
  'subscriptions:list': { table: 'subscriptions', actions: ['dynamodb:Scan'] },
  'subscriptions:requestConfirmation': {
    table: 'subscriptions',
    actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
    queries: ['byCallerHost', 'byTopic'],
  },
  'subscriptions:confirm': { table: 'subscriptions', actions: ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'] },
  'subscriptions:remove': { table: 'subscriptions', actions: ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'] },
  'subscriptions:change': { table: 'subscriptions', actions: ['dynamodb:UpdateItem'] },
  'subscriptions:read': { table: 'subscriptions', actions: ['dynamodb:GetItem'] },
  'subscriptions:removeByLink': { table: 'subscriptions', actions: ['dynamodb:GetItem', 'dynamodb:DeleteItem'] },
  'subscriptions:pause': { table: 'subscriptions', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:listActive': { table: 'subscriptions', actions: [], queries: ['activeByTopic'] },
  'subscriptions:deliver': { table: 'subscriptions', actions: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:renewRequest': { table: 'subscriptions', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:removeByTopic': { table: 'subscriptions', actions: ['dynamodb:DeleteItem'], queries: ['byTopic'] },
  'limits:enforce': {
    table: 'limits',
    actions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  },
  'limits:countInHour': { table: 'limits', actions: ['dynamodb:UpdateItem'] },
  'limits:countSearchRows': { table: 'limits', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'limits:readDeclined': { table: 'limits', actions: ['dynamodb:GetItem'] },
  'limits:declineRequests': { table: 'limits', actions: ['dynamodb:PutItem'] },
  'limits:allowRequests': { table: 'limits', actions: ['dynamodb:DeleteItem'] },
  'limits:releaseSlot': { table: 'limits', actions: ['dynamodb:DeleteItem'] },
  'deliveries:publish': { table: 'deliveries', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'deliveries:openSingle': { table: 'deliveries', actions: ['dynamodb:PutItem'] },
  'deliveries:fanOut': { table: 'deliveries', actions: ['dynamodb:UpdateItem', 'dynamodb:Query'] },
  'deliveries:deliver': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
    queries: ['bySubscription'],
  },
  'deliveries:sweep': {
    table: 'deliveries',
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
    queries: ['bySweep'],
  },
  'deliveries:redeliver': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
  },
  'deliveries:redeliverFailed': {
    table: 'deliveries',
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem'],
    queries: ['bySubscription', 'bySweep'],
  },
  'deliveries:startRecovery': { table: 'deliveries', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'deliveries:continueRecovery': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    queries: ['bySubscription'],
  },
  'deliveries:visitParking': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    queries: ['bySubscription'],
  },
  'deliveries:find': { table: 'deliveries', actions: ['dynamodb:BatchGetItem'] },
  'deliveries:list': { table: 'deliveries', actions: ['dynamodb:BatchGetItem'], queries: ['byTopic'] },
  'deliveries:scheduleStatus': { table: 'deliveries', actions: ['dynamodb:UpdateItem'] },
  'deliveries:readStatus': { table: 'deliveries', actions: ['dynamodb:Query'], queries: ['bySubscription'] },
  'journal:write': { table: 'journal', actions: ['dynamodb:PutItem'] },
  'journal:writeMany': { table: 'journal', actions: ['dynamodb:BatchWriteItem'] },
  'journal:read': { table: 'journal', actions: [], queries: ['byUin', 'byCaller'] },
  'journalHours:read': { table: 'journal', actions: ['dynamodb:DescribeTable', 'dynamodb:Query'] },
  'messageDeliveries:read': { table: 'deliveries', actions: ['dynamodb:BatchGetItem', 'dynamodb:Query'] },
  // Export jobs can neither read nor delete exported objects.
  'journalObjects:write': {
    bucket: 'exportedJournal',
    prefix: buckets.exportedJournal.journal,
    actions: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListBucket'],
    wildcard: anyObject,
  },
  'deliveryObjects:write': {
    bucket: 'exportedJournal',
    prefix: buckets.exportedJournal.deliveries,
    actions: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListBucket'],
    wildcard: anyObject,
  },
  ...queueCapabilities,
  ...backlogCapabilities,
  'signing:read': { secret: 'signing', actions: ['secretsmanager:GetSecretValue'] },
  'naming:read': { secret: 'naming', actions: ['secretsmanager:GetSecretValue'] },
  'mail:send': {
    variable: 'EMAIL_SENDER',
    address: ({ emailSender }) => emailSender,
    actions: ['ses:SendRawEmail'],
    // SES requires permission for both the sending identity and the configuration set.
    resources: ({ stage }) => [
      ['ses', 'identity', '*'],
      ['ses', 'configuration-set', namesOf(stage).configurationSet],
    ],
    conditions: ({ emailSender }) => ({ 'ses:FromAddress': emailSender }),
    wildcard: "the SES sandbox also checks the recipient's identity; the condition restricts the sender",
  },
  'suppressions:remove': {
    variable: 'EMAIL_SENDER',
    address: ({ emailSender }) => emailSender,
    actions: ['ses:DeleteSuppressedDestination'],
    resources: () => [],
    conditions: () => ({}),
    wildcard: 'the suppression list belongs to the account and is not an IAM resource',
  },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof capabilities;

/** Returns the capabilities to send messages to a lane of every channel. */
export const sendsTo = <L extends Lane>(lane: L): readonly `queues:${LaneQueue<L>}`[] =>
  queuesOf(lane).map((queue): `queues:${LaneQueue<L>}` => `queues:${queue}`);

/** The capabilities that a function needs to recover a subscription's missed messages. */
export const recoveryCapabilities = [
  'subscriptions:read',
  'deliveries:list',
  'deliveries:redeliver',
  'deliveries:continueRecovery',
  ...sendsTo('later'),
] as const;

/** Returns the capabilities to read the backlog of a lane of every channel. */
export const readsBacklog = <L extends Lane>(lane: L): readonly `backlog:${LaneQueue<L>}`[] =>
  queuesOf(lane).map((queue): `backlog:${LaneQueue<L>}` => `backlog:${queue}`);
