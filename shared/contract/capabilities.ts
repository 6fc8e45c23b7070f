import { type Lane, type LaneQueue, queuesOf } from '../domain/deliveries/channels.ts';
import { buckets } from './buckets.ts';
import { anyObject, type Capability } from './capability.ts';
import { namesOf } from './deployment-names.ts';
import { importCapabilities } from './import-capabilities.ts';
import { type DeliveryQueue, deliveryQueues, type SentQueue, sentQueues } from './queues.ts';
import { type PersonIndexName, personIndexes } from './tables.ts';

type QueueCapabilities = {
  readonly [Q in SentQueue as `queues:${Q}`]: { readonly queue: Q; readonly actions: readonly ['sqs:SendMessage'] };
};

/** To send to a queue: `queues:fanOut` and its like. */
const queueCapabilities = Object.fromEntries(
  Object.keys(sentQueues).map((queue) => [`queues:${queue}`, { queue, actions: ['sqs:SendMessage'] }]),
) as unknown as QueueCapabilities;

type BacklogCapabilities = {
  readonly [Q in DeliveryQueue as `backlog:${Q}`]: {
    readonly queue: Q;
    readonly actions: readonly ['sqs:GetQueueAttributes'];
  };
};

/** To see how many messages a queue holds: `backlog:slow` and its like. */
const backlogCapabilities = Object.fromEntries(
  Object.keys(deliveryQueues).map((queue) => [`backlog:${queue}`, { queue, actions: ['sqs:GetQueueAttributes'] }]),
) as unknown as BacklogCapabilities;

/** Every capability; a function declares those that it needs in `uses`, and gets no others. */
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
  'documents:look': {
    bucket: 'documents',
    prefix: buckets.documents.documents,
    actions: ['s3:ListBucket'],
    wildcard: anyObject,
  },
  'documentLinks:read': { table: 'documentLinks', actions: ['dynamodb:Query'] },
  'documentLinks:link': { table: 'documentLinks', actions: ['dynamodb:PutItem'] },
  'documentLinks:keep': {
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
  'messages:deliver': {
    bucket: 'documents',
    prefix: buckets.documents.messages,
    actions: ['s3:GetObject', 's3:PutObject'],
    wildcard: anyObject,
  },
  'topics:read': { table: 'topics', actions: ['dynamodb:GetItem'] },
  'topics:list': { table: 'topics', actions: ['dynamodb:Scan'] },
  'topics:create': { table: 'topics', actions: ['dynamodb:PutItem'] },
  'topics:remove': { table: 'topics', actions: ['dynamodb:DeleteItem'] },
  'subscriptions:read': { table: 'subscriptions', actions: ['dynamodb:Scan'] },
  'subscriptions:ask': { table: 'subscriptions', actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'] },
  'subscriptions:confirm': { table: 'subscriptions', actions: ['dynamodb:UpdateItem'] },
  'subscriptions:end': { table: 'subscriptions', actions: ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'] },
  'subscriptions:change': { table: 'subscriptions', actions: ['dynamodb:UpdateItem'] },
  'subscriptions:show': { table: 'subscriptions', actions: ['dynamodb:GetItem'] },
  'subscriptions:leave': { table: 'subscriptions', actions: ['dynamodb:DeleteItem'] },
  'subscriptions:pause': { table: 'subscriptions', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:fanOut': { table: 'subscriptions', actions: [], queries: ['activeByTopic'] },
  'subscriptions:deliver': { table: 'subscriptions', actions: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:sweep': { table: 'subscriptions', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:cleanUp': { table: 'subscriptions', actions: ['dynamodb:DeleteItem'], queries: ['byTopic'] },
  'limits:take': {
    table: 'limits',
    actions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  },
  'limits:count': { table: 'limits', actions: ['dynamodb:UpdateItem'] },
  'limits:ask': { table: 'limits', actions: ['dynamodb:GetItem'] },
  'limits:decline': { table: 'limits', actions: ['dynamodb:PutItem'] },
  'limits:allow': { table: 'limits', actions: ['dynamodb:DeleteItem'] },
  'limits:free': { table: 'limits', actions: ['dynamodb:DeleteItem'] },
  'ledger:open': { table: 'deliveries', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'ledger:ask': { table: 'deliveries', actions: ['dynamodb:PutItem'] },
  'ledger:fanOut': { table: 'deliveries', actions: ['dynamodb:UpdateItem', 'dynamodb:Query'] },
  'ledger:deliver': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
    queries: ['bySubscription'],
  },
  'ledger:sweep': {
    table: 'deliveries',
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
    queries: ['bySweep'],
  },
  'ledger:again': { table: 'deliveries', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'] },
  'ledger:redeliver': {
    table: 'deliveries',
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem'],
    queries: ['bySubscription', 'bySweep'],
  },
  'ledger:beginRecovery': { table: 'deliveries', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'ledger:recover': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    queries: ['bySubscription'],
  },
  'ledger:known': { table: 'deliveries', actions: ['dynamodb:BatchGetItem'] },
  'ledger:log': { table: 'deliveries', actions: ['dynamodb:BatchGetItem'], queries: ['byTopic'] },
  'ledger:show': { table: 'deliveries', actions: [], queries: ['bySubscription'] },
  'journal:write': { table: 'journal', actions: ['dynamodb:PutItem'] },
  'journal:writeMany': { table: 'journal', actions: ['dynamodb:BatchWriteItem'] },
  'journal:read': { table: 'journal', actions: [], queries: ['byUin', 'byCaller'] },
  'journalHours:read': { table: 'journal', actions: ['dynamodb:DescribeTable', 'dynamodb:Query'] },
  'told:read': { table: 'deliveries', actions: ['dynamodb:BatchGetItem', 'dynamodb:Query'] },
  // It may not read what it has written, and remove nothing.
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
    // SES asks for both: whose name a mail goes out in, and by which configuration set.
    resources: ({ stage }) => [
      ['ses', 'identity', '*'],
      ['ses', 'configuration-set', namesOf(stage).configurationSet],
    ],
    conditions: ({ emailSender }) => ({ 'ses:FromAddress': emailSender }),
    wildcard: "in the sandbox SES asks for the recipient's identity, too; the condition says which sender it may be",
  },
  'suppressions:remove': {
    variable: 'EMAIL_SENDER',
    address: ({ emailSender }) => emailSender,
    actions: ['ses:DeleteSuppressedDestination'],
    resources: () => [],
    conditions: () => ({}),
    wildcard: "the list is the account's, and IAM knows no resource for it",
  },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof capabilities;

/** To send to one lane of every channel: a function that knows no protocol declares these. */
export const sendsTo = <L extends Lane>(lane: L): readonly `queues:${LaneQueue<L>}`[] =>
  queuesOf(lane).map((queue): `queues:${LaneQueue<L>}` => `queues:${queue}`);

/** To recover, which is a fan-out the other way: of many messages to one subscription. */
export const recovers = [
  'subscriptions:show',
  'ledger:log',
  'ledger:again',
  'ledger:recover',
  ...sendsTo('later'),
] as const;

/** To see what one lane of every channel holds. */
export const looksAt = <L extends Lane>(lane: L): readonly `backlog:${LaneQueue<L>}`[] =>
  queuesOf(lane).map((queue): `backlog:${LaneQueue<L>}` => `backlog:${queue}`);
