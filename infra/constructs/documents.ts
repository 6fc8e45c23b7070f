import { Duration } from 'aws-cdk-lib';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  type BucketName,
  buckets,
  importLifetime,
  messageLifetime,
  renditionLifetimes,
} from '../../shared/contract/buckets.ts';
import { acknowledge } from './acknowledge.ts';
import { type JournalLock, journalBucket } from './journal-bucket.ts';
import { keptBucket } from './kept-bucket.ts';

const { days, tag, taggedDays } = renditionLifetimes;
const prefix = buckets.documents.renditions;

interface DocumentsProps {
  readonly ledgerDays: number;
  /** Days that documents stay in old versions; undefined: for ever. */
  readonly versionDays: number | undefined;
  readonly importDays: number;
  readonly lock: JournalLock;
  /** The name of a bucket that is there already, and is not the stack's to make or change; empty for its own. */
  readonly nameOf: (bucket: BucketName) => string;
}

/** The bucket of certificates, and that of the exported journal. They outlive the stack; what was made from certificates goes by itself. */
export class Documents extends Construct {
  readonly byName: Readonly<Record<BucketName, Pick<IBucket, 'bucketArn' | 'bucketName'>>>;

  constructor(scope: Construct, id: string, { nameOf, lock, ...lifetimes }: DocumentsProps) {
    super(scope, id);
    const given = (name: BucketName): IBucket | undefined =>
      nameOf(name) === '' ? undefined : Bucket.fromBucketName(this, name, nameOf(name));
    this.byName = {
      documents: given('documents') ?? this.add(lifetimes),
      exportedJournal: given('exportedJournal') ?? journalBucket(this, lock),
    };
  }

  private add({ ledgerDays, versionDays, importDays }: Omit<DocumentsProps, 'nameOf' | 'lock'>): Bucket {
    const documents = new Bucket(this, 'documents', {
      ...keptBucket,
      lifecycleRules: [
        {
          id: 'renditions',
          prefix,
          expiration: Duration.days(days),
          noncurrentVersionExpiration: Duration.days(renditionLifetimes.oldDays),
        },
        // A conversion that failed is tried again the day after.
        { id: 'failures', prefix, tagFilters: { [tag.key]: tag.value }, expiration: Duration.days(taggedDays) },
        { id: 'markers', prefix, expiredObjectDeleteMarker: true },
        {
          id: 'messages',
          prefix: buckets.documents.messages,
          expiration: Duration.days(ledgerDays + messageLifetime.moreDays),
          noncurrentVersionExpiration: Duration.days(messageLifetime.oldDays),
        },
        ...(versionDays === undefined
          ? []
          : [
              {
                id: 'versions',
                prefix: buckets.documents.documents,
                noncurrentVersionExpiration: Duration.days(versionDays),
                // The marker of a deletion goes with the last version behind it.
                expiredObjectDeleteMarker: true,
              },
            ]),
        {
          id: 'imports',
          prefix: buckets.documents.imports,
          expiration: Duration.days(importDays),
          noncurrentVersionExpiration: Duration.days(importLifetime.oldDays),
        },
        { id: 'uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) },
      ],
    });
    acknowledge(documents, {
      'AwsSolutions-S1': 'names of objects hold UINs, and no log of ours does; CloudTrail can tell who reads them',
    });
    return documents;
  }
}
