import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type BucketName, buckets, renditionLifetimes } from '../../shared/contract/buckets.ts';

const { days, tag, taggedDays } = renditionLifetimes;
// A body outlives the ledger's row, which is kept for so much longer as its last retry waits: 14 days at the most.
const longestRetryDays = 15;
const prefix = buckets.documents.renditions;

/** The bucket of certificates. It outlives the stack; what was made from certificates goes by itself. */
export class Documents extends Construct {
  readonly byName: Readonly<Record<BucketName, Bucket>>;

  constructor(scope: Construct, id: string, { ledgerDays }: { readonly ledgerDays: number }) {
    super(scope, id);
    const documents = new Bucket(this, 'documents', {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        {
          id: 'renditions',
          prefix,
          expiration: Duration.days(days),
          noncurrentVersionExpiration: Duration.days(1),
        },
        // A conversion that failed is tried again the day after.
        { id: 'failures', prefix, tagFilters: { [tag.key]: tag.value }, expiration: Duration.days(taggedDays) },
        { id: 'markers', prefix, expiredObjectDeleteMarker: true },
        {
          id: 'messages',
          prefix: buckets.documents.messages,
          expiration: Duration.days(ledgerDays + longestRetryDays),
          noncurrentVersionExpiration: Duration.days(1),
        },
        { id: 'uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) },
      ],
    });
    this.byName = { documents };
  }
}
