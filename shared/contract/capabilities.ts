import { type Lane, type LaneQueue, queuesOf } from '../domain/deliveries/channels.ts';
import { type BucketName, buckets } from './buckets.ts';
import { constantCase } from './constant-case.ts';
import { type DeliveryQueue, deliveryQueues, type QueueName, type SentQueue, sentQueues } from './queues.ts';
import type { SecretName } from './secrets.ts';
import type { SettingName } from './settings.ts';
import type { TableName } from './tables.ts';

/**
 * A capability is one word that means three things: the store methods that a handler gets (by type), the IAM statement
 * of its function, and the environment variable that tells it where. The word is `<store>:<permission>`.
 */
export type Capability =
  | { readonly table: TableName; readonly actions: readonly string[]; readonly indexes?: true }
  | { readonly queue: QueueName; readonly actions: readonly string[] }
  | { readonly bucket: BucketName; readonly prefix: string; readonly actions: readonly string[] }
  | ServiceCapability
  | { readonly secret: SecretName; readonly actions: readonly string[] };

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

type Values = Readonly<Record<SettingName, string>>;

/** To use a service of AWS that the stack makes nothing in: SES, say. */
interface ServiceCapability {
  readonly variable: string;
  /** What stands in the variable: in whose name the service is used. */
  readonly address: (values: Values) => string;
  readonly actions: readonly string[];
  /** What may be used, by service, kind and name, as ARNs say it. None: the actions have no resource, only the region. */
  readonly resources: (values: Values) => readonly (readonly [service: string, kind: string, name: string])[];
  /** What a request must say, by condition key. */
  readonly conditions: (values: Values) => Readonly<Record<string, string>>;
}

/** Every capability; a function declares those that it needs in `uses`, and gets no others. */
export const capabilities = {
  'persons:read': { table: 'persons', actions: ['dynamodb:GetItem'] },
  'persons:readMany': { table: 'persons', actions: ['dynamodb:BatchGetItem'] },
  'persons:find': {
    table: 'persons',
    actions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:Scan'],
    indexes: true,
  },
  'persons:mint': { table: 'persons', actions: ['dynamodb:PutItem', 'dynamodb:GetItem'] },
  'documents:read': {
    bucket: 'documents',
    prefix: buckets.documents.documents,
    actions: ['s3:GetObject', 's3:ListBucket'],
  },
  'renditions:write': {
    bucket: 'documents',
    prefix: buckets.documents.renditions,
    actions: ['s3:GetObject', 's3:PutObject', 's3:PutObjectTagging', 's3:ListBucket'],
  },
  'messages:write': { bucket: 'documents', prefix: buckets.documents.messages, actions: ['s3:PutObject'] },
  'messages:deliver': {
    bucket: 'documents',
    prefix: buckets.documents.messages,
    actions: ['s3:GetObject', 's3:PutObject'],
  },
  'topics:read': { table: 'topics', actions: ['dynamodb:GetItem', 'dynamodb:Scan'] },
  'topics:write': { table: 'topics', actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'] },
  'subscriptions:read': { table: 'subscriptions', actions: ['dynamodb:Scan'] },
  'subscriptions:write': {
    table: 'subscriptions',
    actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  },
  'subscriptions:change': { table: 'subscriptions', actions: ['dynamodb:UpdateItem'] },
  'subscriptions:show': { table: 'subscriptions', actions: ['dynamodb:GetItem'] },
  'subscriptions:leave': { table: 'subscriptions', actions: ['dynamodb:DeleteItem'] },
  'subscriptions:pause': { table: 'subscriptions', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:fanOut': { table: 'subscriptions', actions: ['dynamodb:Query'], indexes: true },
  'subscriptions:deliver': { table: 'subscriptions', actions: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:sweep': { table: 'subscriptions', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'subscriptions:cleanUp': {
    table: 'subscriptions',
    actions: ['dynamodb:Query', 'dynamodb:DeleteItem'],
    indexes: true,
  },
  'limits:take': {
    table: 'limits',
    actions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
  },
  'limits:count': { table: 'limits', actions: ['dynamodb:UpdateItem'] },
  'limits:ask': { table: 'limits', actions: ['dynamodb:GetItem'] },
  'limits:decline': { table: 'limits', actions: ['dynamodb:PutItem'] },
  'limits:allow': { table: 'limits', actions: ['dynamodb:DeleteItem'] },
  'limits:free': { table: 'limits', actions: ['dynamodb:DeleteItem'] },
  'ledger:open': { table: 'deliveries', actions: ['dynamodb:PutItem'] },
  'ledger:fanOut': { table: 'deliveries', actions: ['dynamodb:UpdateItem', 'dynamodb:Query'] },
  'ledger:deliver': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem', 'dynamodb:Query'],
    indexes: true,
  },
  'ledger:sweep': {
    table: 'deliveries',
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
    indexes: true,
  },
  'ledger:redeliver': {
    table: 'deliveries',
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
    indexes: true,
  },
  'ledger:recover': {
    table: 'deliveries',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:Query'],
    indexes: true,
  },
  'ledger:log': {
    table: 'deliveries',
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:BatchGetItem'],
    indexes: true,
  },
  'ledger:show': { table: 'deliveries', actions: ['dynamodb:Query'], indexes: true },
  ...queueCapabilities,
  ...backlogCapabilities,
  'signing:read': { secret: 'signing', actions: ['secretsmanager:GetSecretValue'] },
  'naming:read': { secret: 'naming', actions: ['secretsmanager:GetSecretValue'] },
  'mail:send': {
    variable: 'EMAIL_SENDER',
    address: ({ emailSender }) => emailSender,
    actions: ['ses:SendRawEmail'],
    // SES asks for both: whose name a mail goes out in, and by which configuration set. In the sandbox the recipient's
    // identity is asked for, too; the condition says which sender it may be.
    resources: ({ emailConfigurationSet }) => [
      ['ses', 'identity', '*'],
      ['ses', 'configuration-set', emailConfigurationSet],
    ],
    conditions: ({ emailSender }) => ({ 'ses:FromAddress': emailSender }),
  },
  'suppressions:remove': {
    variable: 'EMAIL_SENDER',
    address: ({ emailSender }) => emailSender,
    actions: ['ses:DeleteSuppressedDestination'],
    // The list is the account's, and IAM knows no resource for it.
    resources: () => [],
    conditions: () => ({}),
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
  'ledger:redeliver',
  'ledger:recover',
  ...sendsTo('later'),
] as const;

/** To see what one lane of every channel holds. */
export const looksAt = <L extends Lane>(lane: L): readonly `backlog:${LaneQueue<L>}`[] =>
  queuesOf(lane).map((queue): `backlog:${LaneQueue<L>}` => `backlog:${queue}`);

/** The environment variable by which a function learns where a capability's table, queue, bucket, secret or service is. */
export function variableOf(capability: Capability): string {
  if ('table' in capability) return `${constantCase(capability.table)}_TABLE`;
  if ('queue' in capability) return `${constantCase(capability.queue)}_QUEUE_URL`;
  if ('secret' in capability) return `${constantCase(capability.secret)}_SECRET_ARN`;
  if ('bucket' in capability) return `${constantCase(capability.bucket)}_BUCKET`;
  return capability.variable;
}
