import { type DeliveryQueue, deliveryQueues, type QueueName, queueDays } from '../../../shared/contract/queue-names.ts';
import { bucketData } from './in-bucket.ts';
import { tableData } from './in-tables.ts';
import type { StoredData } from './stored-data.ts';

const queueRow = (what: string, about: StoredData['about'], ...queues: readonly QueueName[]): StoredData => ({
  ...{ what, about, at: { queues }, days: queueDays },
  ends: 'after the message was sent, even in a dead-letter queue; earlier if the message is processed',
});

const queueData: readonly StoredData[] = [
  queueRow(
    'messages about events, with event bodies, and about deliveries',
    'the persons in events',
    ...(Object.keys(deliveryQueues) as DeliveryQueue[]),
  ),
  queueRow('deleted topics', 'no person', 'cleanUp'),
  queueRow('names of documents, with UINs', 'a person', 'documentEvents'),
  queueRow('names of import files', 'no person', 'imports'),
  queueRow('the progress of search indexes', 'no person', 'reindexing'),
  queueRow('bounces and complaints, with addresses', 'a subscriber', 'mailFeedback'),
];

const serviceData: readonly StoredData[] = [
  {
    what: 'earlier states of every table',
    at: { aws: 'backups' },
    about: 'everyone',
    // Source: "Point-in-time backups" in the Amazon DynamoDB Developer Guide.
    days: 35,
    ends: 'after the change',
  },
  {
    what: 'daily backups of every table and of the documents',
    at: { aws: 'vault' },
    about: 'everyone',
    days: { setting: 'backupDays' },
    ends: 'after the backup is created; copies in another vault expire at the same time',
  },
  {
    what: 'log lines with callers and the ids of requests, subscriptions and events; the network addresses of requests that AWS WAF rejects',
    at: { aws: 'logs' },
    about: 'a caller',
    days: { setting: 'logRetentionDays' },
    ends: 'after the line',
  },
  // Source: "Metrics retention" in the Amazon CloudWatch User Guide (15 months).
  {
    what: 'metrics: counts and times',
    at: { aws: 'metrics' },
    about: 'no person',
    days: 455,
    ends: 'after the minute',
  },
  // Source: "AWS X-Ray concepts" in the AWS X-Ray Developer Guide.
  {
    what: 'traces with function names and durations, if the setting tracing is on',
    at: { aws: 'traces' },
    about: 'no person',
    days: 30,
    ends: 'after the request',
  },
  { what: 'key material', at: { aws: 'secrets' }, about: 'no person', ends: 'an operator deletes the secret' },
  {
    what: 'addresses with bounces or complaints',
    at: { aws: 'suppressionList' },
    about: 'a subscriber',
    ends: 'an operator runs unsuppress',
  },
];

/** All stored data, by location. Tests compare this list with the contract, the template and the stored rows. */
export const retention: readonly StoredData[] = [...tableData, ...bucketData, ...queueData, ...serviceData];

const services = {
  backups: 'DynamoDB, point-in-time recovery',
  vault: 'AWS Backup',
  logs: 'CloudWatch Logs',
  metrics: 'CloudWatch',
  secrets: 'Secrets Manager',
  traces: 'X-Ray',
  suppressionList: 'SES, suppression list of the account',
} as const;

/** Returns the location in words, such as `bucket documents, imports/, old versions`. */
export function placeText({ at }: StoredData): string {
  if ('table' in at) return `table ${at.table}${at.begins === undefined ? '' : `, ${at.begins}`}`;
  if ('bucket' in at) return `bucket ${at.bucket}, ${at.prefix}${at.isOld ? ', old versions' : ''}`;
  if ('aws' in at) return services[at.aws];
  return at.queues.length === 1 ? `queue ${at.queues.join()}` : 'delivery queues';
}
