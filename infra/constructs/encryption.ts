import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { actionsOf, type Capability } from '../../shared/contract/capabilities.ts';
import { madeKey } from '../settings/stack-settings.ts';
import { serviceStatements } from './key-policy.ts';

/**
 * Creates a KMS key if `keyArn` is `make`. The key is rotated every year and outlives the stack.
 * @returns the ARN of the new key, or the setting itself if it is not `make`
 */
export function createKey(scope: Construct, setting: string): string {
  if (setting !== madeKey) return setting;
  const key = new Key(scope, 'key', {
    description: 'Tables, buckets, queues, secrets and logs',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  for (const statement of serviceStatements(Stack.of(scope)))
    key.addToResourcePolicy(PolicyStatement.fromJson(statement));
  return key.keyArn;
}

/**
 * Returns the key for the resources of a stack; undefined if AWS encrypts the resources with its own keys. The key is
 * imported, so that CDK constructs cannot change the key policy.
 */
export function keyOf(scope: Construct, arn: string): IKey | undefined {
  if (arn === '') return undefined;
  const stack = Stack.of(scope);
  return (stack.node.tryFindChild('encryption') as IKey | undefined) ?? Key.fromKeyArn(stack, 'encryption', arn);
}

/** Returns the CDK property that encrypts a log group or secret with a key. */
export const encryptedBy = (key: IKey | undefined): { readonly encryptionKey?: IKey } =>
  key === undefined ? {} : { encryptionKey: key };

/** A KMS call that an AWS service makes with the permissions of a function. */
interface KeyUse {
  readonly service: 'dynamodb' | 'sqs' | 's3' | 'secretsmanager';
  readonly action: 'kms:Decrypt' | 'kms:GenerateDataKey';
}

const uses = (service: KeyUse['service'], ...actions: KeyUse['action'][]): KeyUse[] =>
  actions.map((action) => ({ service, action }));

/** The KMS calls that SQS makes when Lambda reads an encrypted queue for a function. */
export const readingQueue = uses('sqs', 'kms:Decrypt');

/**
 * Returns the KMS calls that a capability causes. DynamoDB uses the permissions of the caller to decrypt the table's
 * key, but creates the key with its own grant.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html. SQS decrypts each new
 * data key, even when a function only sends messages.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html. S3 also needs to
 * decrypt the parts of a multipart upload.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
 */
function keyUsesOf(capability: Capability): KeyUse[] {
  const actions = actionsOf(capability);
  if ('table' in capability)
    return actions.some((action) => action !== 'dynamodb:DescribeTable') ? uses('dynamodb', 'kms:Decrypt') : [];
  if ('queue' in capability)
    return actions.includes('sqs:SendMessage') ? uses('sqs', 'kms:Decrypt', 'kms:GenerateDataKey') : [];
  if ('secret' in capability) return uses('secretsmanager', 'kms:Decrypt');
  if (!('bucket' in capability)) return [];
  const isReading = /^s3:(?:GetObject|GetObjectVersion|AbortMultipartUpload)$/;
  return [
    ...(actions.some((action) => isReading.test(action)) ? uses('s3', 'kms:Decrypt') : []),
    ...(actions.includes('s3:PutObject') ? uses('s3', 'kms:GenerateDataKey') : []),
  ];
}

/** Allows AWS services to use the key on behalf of a function. The function's own code cannot use the key. */
export function grantKey(
  lambda: LambdaFunction,
  keyArn: string,
  capabilities: readonly Capability[],
  more: readonly KeyUse[],
): void {
  if (keyArn === '') return;
  const { region, urlSuffix } = Stack.of(lambda);
  const needed = [...capabilities.flatMap(keyUsesOf), ...more];
  for (const action of ['kms:Decrypt', 'kms:GenerateDataKey']) {
    const services = new Set(needed.filter((use) => use.action === action).map(({ service }) => service));
    if (services.size === 0) continue;
    const via = [...services].toSorted().map((service) => `${service}.${region}.${urlSuffix}`);
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: [action],
        resources: [keyArn],
        conditions: { StringEquals: { 'kms:ViaService': via } },
      }),
    );
  }
}
