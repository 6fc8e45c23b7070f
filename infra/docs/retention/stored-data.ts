import type { BucketName } from '../../../shared/contract/buckets.ts';
import type { QueueName } from '../../../shared/contract/queue-names.ts';
import type { TableName } from '../../../shared/contract/tables.ts';
import type { Days } from './days.ts';

type Place =
  /** `begins` is the prefix of the rows' partition keys, if the table also has other kinds of rows. */
  | { readonly table: TableName; readonly begins?: string }
  /** `isOld` is true for versions of objects that have been replaced or deleted. */
  | { readonly bucket: BucketName; readonly prefix: string; readonly isOld?: true }
  | { readonly queues: readonly QueueName[] }
  | { readonly aws: 'backups' | 'vault' | 'logs' | 'metrics' | 'secrets' | 'traces' | 'suppressionList' };

export interface StoredData {
  readonly what: string;
  readonly at: Place;
  readonly about: 'a person' | 'a subscriber' | 'a caller' | 'the persons in events' | 'everyone' | 'no person';
  /** The number of days until the data expires; undefined if the data does not expire. */
  readonly days?: Days;
  /** The event from which `days` is counted, or the event that ends retention. */
  readonly ends: string;
}
