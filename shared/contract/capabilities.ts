import { type Lane, type LaneQueue, queuesOf } from '../domain/deliveries/channels.ts';
import { type BucketName, buckets } from './buckets.ts';
import { namesOf } from './deployment-names.ts';
import { constantCase } from './name-cases.ts';
import { type DeliveryQueue, deliveryQueues, type QueueName, sentQueues } from './queue-names.ts';
import type { SecretName } from './secret-names.ts';
import type { SettingName } from './settings.ts';
import { type IndexName, type PersonIndexName, personIndexes, type TableName } from './tables.ts';

/**
 * A permission, named `<store>:<permission>`. A capability determines which store methods a handler can call and which
 * IAM actions its function may perform. A capability also determines the environment variable that contains the address
 * of the resource.
 */
export type Capability =
  | TableCapability
  | { readonly queue: QueueName; readonly actions: readonly string[] }
  | BucketCapability
  | ServiceCapability
  | { readonly secret: SecretName; readonly actions: readonly string[] };

interface TableCapability {
  readonly table: TableName;
  /** IAM actions on the table itself, not on its indexes. */
  readonly actions: readonly string[];
  /** The indexes that the function queries. */
  readonly queries?: readonly string[];
}

interface BucketCapability {
  readonly bucket: BucketName;
  /** The prefix of the objects to which the capability grants access. */
  readonly prefix: string;
  readonly actions: readonly string[];
  readonly wildcard: string;
}

type Values = Readonly<Record<SettingName, string>>;

/** A capability to call an AWS service, such as SES, that needs no table, queue, bucket or secret of the stack. */
interface ServiceCapability {
  readonly variable: string;
  /** Returns the sender address, which is the value of the environment variable. */
  readonly address: (values: Values) => string;
  readonly actions: readonly string[];
  /**
   * The service, kind and name from which each resource's ARN is built; undefined if IAM defines no resource type for
   * the actions.
   */
  readonly resources?: (values: Values) => readonly (readonly [service: string, kind: string, name: string])[];
  /** The values of the IAM conditions, by condition key. */
  readonly conditions?: (values: Values) => Readonly<Record<string, string>>;
  /** The reason why the IAM statement covers more than one resource. */
  readonly wildcard: string;
}

/** Returns the capability to call DynamoDB for a table, such as `GetItem`, and to query indexes of the table. */
const onTable = <T extends TableName>(table: T, actions: readonly string[], queries?: readonly IndexName<T>[]) => ({
  table,
  actions: actions.map((action) => `dynamodb:${action}`),
  ...(queries && { queries }),
});

/** Returns the capability to call S3, such as `GetObject`, for the objects with a prefix. */
const onObjects = (bucket: BucketName, prefix: string, actions: readonly string[]) => ({
  bucket,
  prefix,
  actions: actions.map((action) => `s3:${action}`),
  wildcard: 'object names are known only at run time; the prefix restricts them',
});

/** Returns one capability for each queue, such as `queues:fanOut`. */
const onQueues = <Store extends string, Q extends QueueName>(
  store: Store,
  queues: Readonly<Record<Q, string>>,
  action: string,
) =>
  Object.fromEntries(
    Object.keys(queues).map((queue) => [`${store}:${queue}`, { queue, actions: [`sqs:${action}`] }]),
  ) as unknown as Readonly<Record<`${Store}:${Q}`, { readonly queue: Q; readonly actions: readonly string[] }>>;

const searchIndexes = Object.keys(personIndexes) as PersonIndexName[];
const { documents, renditions, messages, imports } = buckets.documents;
const { journal, deliveries } = buckets.exportedJournal;
const removing = ['DeleteObject', 'DeleteObjectVersion', 'ListBucket', 'ListBucketVersions'];
const exporting = ['PutObject', 'AbortMultipartUpload', 'ListBucket'];

/** Every capability. A function gets only the capabilities that it declares in `uses`. */
export const capabilities = {
  'persons:read': onTable('persons', ['GetItem']),
  'persons:readMany': onTable('persons', ['BatchGetItem']),
  'persons:find': onTable('persons', ['GetItem', 'Scan'], searchIndexes),
  // Import rows are stored in the `persons` table, so that restoring the table also restores the matching state of the
  // imports.
  'personChanges:write': onTable('persons', ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem']),
  'personChanges:resolve': onTable('persons', ['GetItem']),
  'imports:run': onTable('persons', ['GetItem', 'PutItem', 'UpdateItem']),
  'importFiles:run': onObjects('documents', imports, [
    'GetObject',
    'GetObjectVersion',
    'PutObject',
    'AbortMultipartUpload',
  ]),
  'documents:change': onObjects('documents', documents, removing),
  'renditions:remove': onObjects('documents', renditions, removing),
  'indexing:fill': onTable('persons', ['Scan', 'UpdateItem'], searchIndexes),
  'indexing:change': onTable('persons', ['GetItem', 'PutItem']),
  'persons:mint': onTable('persons', ['PutItem', 'ConditionCheckItem', 'GetItem']),
  'documents:read': onObjects('documents', documents, ['GetObject', 'ListBucket']),
  'documents:inspect': onObjects('documents', documents, ['ListBucket']),
  'documentLinks:read': onTable('documentLinks', ['Query']),
  'documentLinks:change': onTable('documentLinks', ['GetItem', 'PutItem', 'DeleteItem']),
  'renditions:write': onObjects('documents', renditions, ['GetObject', 'PutObject', 'PutObjectTagging', 'ListBucket']),
  'messages:write': onObjects('documents', messages, ['PutObject']),
  'messages:readWrite': onObjects('documents', messages, ['GetObject', 'PutObject']),
  'topics:read': onTable('topics', ['GetItem']),
  'topics:list': onTable('topics', ['Scan']),
  'topics:create': onTable('topics', ['UpdateItem']),
  'topics:remove': onTable('topics', ['DeleteItem']),
  'subscriptions:list': onTable('subscriptions', ['Scan']),
  'subscriptions:requestConfirmation': onTable('subscriptions', ['PutItem', 'UpdateItem'], ['byCallerHost', 'byTopic']),
  'subscriptions:confirm': onTable('subscriptions', ['UpdateItem', 'DeleteItem']),
  'subscriptions:remove': onTable('subscriptions', ['UpdateItem', 'DeleteItem']),
  'subscriptions:change': onTable('subscriptions', ['UpdateItem']),
  'subscriptions:read': onTable('subscriptions', ['GetItem']),
  'subscriptions:removeByLink': onTable('subscriptions', ['GetItem', 'DeleteItem']),
  'subscriptions:pause': onTable('subscriptions', ['GetItem', 'UpdateItem']),
  'subscriptions:listActive': onTable('subscriptions', [], ['activeByTopic']),
  'subscriptions:deliver': onTable('subscriptions', ['BatchGetItem', 'UpdateItem']),
  'subscriptions:renewRequest': onTable('subscriptions', ['GetItem', 'UpdateItem']),
  'subscriptions:removeByTopic': onTable('subscriptions', ['DeleteItem'], ['byTopic']),
  'limits:enforce': onTable('limits', ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem']),
  'limits:countInHour': onTable('limits', ['UpdateItem']),
  'limits:countSearchRows': onTable('limits', ['GetItem', 'UpdateItem']),
  'limits:readDeclined': onTable('limits', ['GetItem']),
  'limits:declineRequests': onTable('limits', ['PutItem']),
  'limits:allowRequests': onTable('limits', ['DeleteItem']),
  'limits:releaseSlot': onTable('limits', ['DeleteItem']),
  'deliveries:publish': onTable('deliveries', ['GetItem', 'PutItem']),
  'deliveries:openSingle': onTable('deliveries', ['PutItem']),
  'deliveries:fanOut': onTable('deliveries', ['UpdateItem', 'Query']),
  'deliveries:deliver': onTable('deliveries', ['GetItem', 'UpdateItem', 'PutItem'], ['bySubscription']),
  'deliveries:sweep': onTable('deliveries', ['Query', 'GetItem', 'UpdateItem', 'PutItem'], ['bySweep']),
  'deliveries:redeliver': onTable('deliveries', ['GetItem', 'UpdateItem', 'PutItem']),
  'deliveries:redeliverFailed': onTable(
    'deliveries',
    ['Query', 'GetItem', 'UpdateItem'],
    ['bySubscription', 'bySweep'],
  ),
  'deliveries:startRecovery': onTable('deliveries', ['GetItem', 'UpdateItem']),
  'deliveries:continueRecovery': onTable('deliveries', ['GetItem', 'UpdateItem'], ['bySubscription']),
  'deliveries:visitParking': onTable(
    'deliveries',
    ['GetItem', 'Query', 'UpdateItem', 'PutItem', 'DeleteItem'],
    ['bySubscription'],
  ),
  'deliveries:find': onTable('deliveries', ['BatchGetItem']),
  'deliveries:list': onTable('deliveries', ['BatchGetItem'], ['byTopic']),
  'deliveries:scheduleStatus': onTable('deliveries', ['UpdateItem']),
  'deliveries:readStatus': onTable('deliveries', ['Query'], ['bySubscription']),
  'journal:write': onTable('journal', ['PutItem']),
  'journal:writeMany': onTable('journal', ['BatchWriteItem']),
  'journal:read': onTable('journal', [], ['byUin', 'byCaller']),
  'journalHours:read': onTable('journal', ['DescribeTable', 'Query']),
  'messageDeliveries:read': onTable('deliveries', ['BatchGetItem', 'Query']),
  // Export jobs can neither read nor delete exported objects.
  'journalObjects:write': onObjects('exportedJournal', journal, exporting),
  'deliveryObjects:write': onObjects('exportedJournal', deliveries, exporting),
  ...onQueues('queues', sentQueues, 'SendMessage'),
  ...onQueues('backlog', deliveryQueues, 'GetQueueAttributes'),
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
    wildcard: 'the suppression list belongs to the account and is not an IAM resource',
  },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof capabilities;

/** The capabilities and settings that a function declares. A function gets no others. */
export interface Declared {
  readonly uses: readonly CapabilityName[];
  readonly reads: readonly SettingName[];
}

/** Returns all actions that a capability grants. */
export const actionsOf = (capability: Capability): readonly string[] =>
  'queries' in capability ? [...new Set([...capability.actions, 'dynamodb:Query'])] : capability.actions;

/** Returns the name of the environment variable that contains the address of a capability's resource. */
export function variableOf(capability: Capability): string {
  if ('table' in capability) return `${constantCase(capability.table)}_TABLE`;
  if ('queue' in capability) return `${constantCase(capability.queue)}_QUEUE_URL`;
  if ('secret' in capability) return `${constantCase(capability.secret)}_SECRET_ARN`;
  if ('bucket' in capability) return `${constantCase(capability.bucket)}_BUCKET`;
  return capability.variable;
}

/** Returns the capabilities to send messages to a lane of every channel. */
export const sendsTo = <L extends Lane>(lane: L): readonly `queues:${LaneQueue<L>}`[] =>
  queuesOf(lane).map((queue): `queues:${LaneQueue<L>}` => `queues:${queue}`);

/** The capabilities to read the number of messages in every queue for deliveries. */
export const readsBacklogs = Object.keys(deliveryQueues).map(
  (queue) => `backlog:${queue}`,
) as `backlog:${DeliveryQueue}`[];
