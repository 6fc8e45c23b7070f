import type { BucketName } from '../../shared/contract/buckets.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import type { Days } from '../docs/retention/days.ts';

type Place =
  /** `begins`: what the first key of these rows begins with, where the table has others, too. */
  | { readonly table: TableName; readonly begins?: string }
  /** `isOld`: versions that were replaced or deleted. */
  | { readonly bucket: BucketName; readonly prefix: string; readonly isOld?: true }
  | { readonly queues: readonly QueueName[] }
  | { readonly aws: 'backups' | 'logs' | 'metrics' | 'secrets' | 'traces' | 'suppressionList' };

/** One kind of what is stored. */
export interface Kept {
  readonly what: string;
  readonly at: Place;
  /** Of whom it tells. */
  readonly of: 'a person' | 'a subscriber' | 'a caller' | 'whom events are about' | 'all of them' | 'nobody';
  /** After how many days it goes by itself; missing: it does not. */
  readonly days?: Days;
  /** What the days count from, or what ends it before or without them. */
  readonly ends: string;
}
