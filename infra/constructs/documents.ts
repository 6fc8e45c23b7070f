import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  type LifecycleRule,
  ObjectLockRetention,
  StorageClass,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  type BucketName,
  buckets,
  importLifetime,
  journalOldDays,
  messageLifetime,
  renditionLifetimes,
} from '../../shared/contract/buckets.ts';
import { accept } from './accepted-rules.ts';

/**
 * The properties of every bucket. Buckets are encrypted and private, accept only TLS, and are retained when the stack
 * is deleted.
 */
const bucketDefaults = (key: IKey | undefined): BucketProps => ({
  versioned: true,
  // With a bucket key, S3 calls KMS far less often: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-key.html
  ...(key ? { encryptionKey: key, bucketKeyEnabled: true } : { encryption: BucketEncryption.S3_MANAGED }),
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
});

/** The lock on exported objects. In `governance` mode, callers with a special permission can delete objects earlier. */
interface JournalLock {
  readonly days: number;
  readonly mode: 'governance' | 'compliance';
}

/** Creates the bucket for the exported journal. Objects in this bucket stay locked until they expire. */
function journalBucket(scope: Construct, { days, mode }: JournalLock, key: IKey | undefined): Bucket {
  const bucket = new Bucket(scope, 'exportedJournal', {
    ...bucketDefaults(key),
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
  accept(bucket, 'accessLogs', 'replication', 'keysOfAws');
  return bucket;
}

/**
 * Moves documents, including old versions, to S3 Intelligent-Tiering. After 30 and 90 days without a read, S3 moves an
 * object to a cheaper tier. S3 moves an object back when the object is read. The storage class Standard-IA would charge
 * for each read, and for at least 30 days and 128 KB per object. S3 never moves objects smaller than 128 KB.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/intelligent-tiering-overview.html,
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html
 */
function tiering(afterDays: number): LifecycleRule {
  const transition = { storageClass: StorageClass.INTELLIGENT_TIERING, transitionAfter: Duration.days(afterDays) };
  return {
    id: 'tiering',
    prefix: buckets.documents.documents,
    transitions: [transition],
    noncurrentVersionTransitions: [transition],
  };
}

const { days, tag, taggedDays } = renditionLifetimes;
const prefix = buckets.documents.renditions;

interface DocumentsProps {
  readonly deliveryDays: number;
  /** The number of days for which old versions of documents are kept; undefined if they are kept forever. */
  readonly versionDays: number | undefined;
  readonly importDays: number;
  readonly lock: JournalLock;
  /** The number of days after which documents move to S3 Intelligent-Tiering; empty if they never move. */
  readonly tieringDays: number | '';
  readonly key?: IKey | undefined;
  /** Returns the name of a restored bucket; empty for a bucket that the stack creates. */
  readonly nameOf: (bucket: BucketName) => string;
}

/** The buckets for documents and for the exported journal, which are retained when the stack is deleted. */
export class Documents extends Construct {
  readonly byName: Readonly<Record<BucketName, Pick<IBucket, 'bucketArn' | 'bucketName'>>>;

  constructor(scope: Construct, id: string, { nameOf, lock, ...lifetimes }: DocumentsProps) {
    super(scope, id);
    const given = (name: BucketName): IBucket | undefined =>
      nameOf(name) === '' ? undefined : Bucket.fromBucketName(this, name, nameOf(name));
    this.byName = {
      documents: given('documents') ?? this.add(lifetimes),
      exportedJournal: given('exportedJournal') ?? journalBucket(this, lock, lifetimes.key),
    };
  }

  private add({ key, ...lifetimes }: Omit<DocumentsProps, 'nameOf' | 'lock'>): Bucket {
    const { deliveryDays, versionDays, importDays, tieringDays } = lifetimes;
    const documents = new Bucket(this, 'documents', {
      ...bucketDefaults(key),
      lifecycleRules: [
        {
          id: 'renditions',
          prefix,
          expiration: Duration.days(days),
          noncurrentVersionExpiration: Duration.days(renditionLifetimes.oldDays),
        },
        // Deletes the records of failed conversions, so that these conversions are tried again.
        { id: 'failures', prefix, tagFilters: { [tag.key]: tag.value }, expiration: Duration.days(taggedDays) },
        { id: 'markers', prefix, expiredObjectDeleteMarker: true },
        {
          id: 'messages',
          prefix: buckets.documents.messages,
          expiration: Duration.days(deliveryDays + messageLifetime.moreDays),
          noncurrentVersionExpiration: Duration.days(messageLifetime.oldDays),
        },
        ...(versionDays === undefined
          ? []
          : [
              {
                id: 'versions',
                prefix: buckets.documents.documents,
                noncurrentVersionExpiration: Duration.days(versionDays),
                // Deletes a delete marker when all older versions of the object have expired.
                expiredObjectDeleteMarker: true,
              },
            ]),
        ...(tieringDays === '' ? [] : [tiering(tieringDays)]),
        {
          id: 'imports',
          prefix: buckets.documents.imports,
          expiration: Duration.days(importDays),
          noncurrentVersionExpiration: Duration.days(importLifetime.oldDays),
        },
        { id: 'uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) },
      ],
    });
    accept(documents, 'accessLogs', 'replication', 'keysOfAws');
    return documents;
  }
}
