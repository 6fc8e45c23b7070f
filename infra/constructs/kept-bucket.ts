import { RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';

/** What every bucket of ours has in common: encrypted, of nobody else, reached by TLS alone, and kept when the stack goes. */
export const keptBucket: BucketProps = {
  versioned: true,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
};
