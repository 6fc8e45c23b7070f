import { Duration } from 'aws-cdk-lib';
import { Bucket, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { buckets, journalOldDays } from '../../shared/contract/buckets.ts';
import { acknowledge } from './acknowledge.ts';
import { keptBucket } from './kept-bucket.ts';

/** For how long an exported object is locked, and whether a permission opens the lock (governance). */
export interface JournalLock {
  readonly days: number;
  readonly mode: 'governance' | 'compliance';
}

/** The bucket that the journal is exported to: what is in it stays as it is for the days of its lock, and goes after them. */
export function journalBucket(scope: Construct, { days, mode }: JournalLock): Bucket {
  const bucket = new Bucket(scope, 'exportedJournal', {
    ...keptBucket,
    objectLockEnabled: true,
    objectLockDefaultRetention: ObjectLockRetention[mode](Duration.days(days)),
    lifecycleRules: [
      ...Object.entries(buckets.exportedJournal).flatMap(([id, prefix]) => [
        {
          ...{ id, prefix },
          expiration: Duration.days(days),
          noncurrentVersionExpiration: Duration.days(journalOldDays),
        },
        { id: `${id}-markers`, prefix, expiredObjectDeleteMarker: true },
      ]),
      { id: 'uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) },
    ],
  });
  acknowledge(bucket, {
    'AwsSolutions-S1': 'CloudTrail can tell who reads what was exported, and it is locked',
  });
  return bucket;
}
