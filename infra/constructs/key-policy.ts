type Place = Readonly<Record<'partition' | 'region' | 'account' | 'urlSuffix', string>>;

/**
 * The key policy statements for AWS services that use the key on their own, and not for a caller in this account. For
 * all other callers, the policy delegates access to IAM. CloudWatch Logs encrypts log groups:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html. S3 and SNS send messages to
 * encrypted queues: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
export const serviceStatements = ({ partition, region, account, urlSuffix }: Place) => [
  {
    Sid: 'Logs',
    Effect: 'Allow',
    Principal: { Service: `logs.${region}.${urlSuffix}` },
    Action: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
    Resource: '*',
    Condition: {
      ArnLike: { 'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:*` },
    },
  },
  {
    Sid: 'SendersToQueues',
    Effect: 'Allow',
    Principal: { Service: ['s3.amazonaws.com', 'sns.amazonaws.com'] },
    Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
    Resource: '*',
    Condition: { StringEquals: { 'aws:SourceAccount': account } },
  },
];
