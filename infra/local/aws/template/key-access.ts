import { region } from './identifiers.ts';
import type { AccessRequest } from './policy.ts';
import type { Stack } from './stack.ts';

interface Encrypted {
  Replicas?: { SSESpecification?: { KMSMasterKeyId?: string } }[];
  BucketEncryption?: {
    ServerSideEncryptionConfiguration: { ServerSideEncryptionByDefault?: { KMSMasterKeyID?: string } }[];
  };
  KmsMasterKeyId?: string;
  KmsKeyId?: string;
}

const keyIn = ({ Replicas, BucketEncryption, KmsMasterKeyId, KmsKeyId }: Encrypted): string | undefined =>
  Replicas?.[0]?.SSESpecification?.KMSMasterKeyId ??
  BucketEncryption?.ServerSideEncryptionConfiguration[0]?.ServerSideEncryptionByDefault?.KMSMasterKeyID ??
  KmsMasterKeyId ??
  KmsKeyId;

/** The key ARNs of encrypted tables, buckets, queues and secrets, by the ARN of the resource. */
export type Keys = ReadonlyMap<string, string>;

export function readKeys(stack: Stack): Keys {
  const types = ['DynamoDB::GlobalTable', 'S3::Bucket', 'SQS::Queue', 'SecretsManager::Secret'];
  const resources = stack.ofType(...types.map((type) => `AWS::${type}`));
  return new Map(
    resources.flatMap((resource) => {
      const key = keyIn(stack.properties<Encrypted>(resource));
      return key === undefined ? [] : [[stack.arnOf(resource), key] as const];
    }),
  );
}

const decrypt = 'kms:Decrypt';
const generate = 'kms:GenerateDataKey';

/** Returns the KMS actions for which a caller also needs permission if the resource is encrypted. */
function keyActions({ action, isPart }: AccessRequest): string[] {
  if (action === 'sqs:SendMessage') return [generate, decrypt];
  if (action === 's3:PutObject') return isPart ? [generate, decrypt] : [generate];
  const isReading = /^(?:sqs:ReceiveMessage|s3:GetObject(?:Version)?|secretsmanager:GetSecretValue)$/.test(action);
  const usesTable = action.startsWith('dynamodb:') && action !== 'dynamodb:DescribeTable';
  return isReading || usesTable ? [decrypt] : [];
}

/** Removes the index or object from an ARN, which leaves the ARN of the table or bucket. */
const ownerOf = (arn: string): string => arn.replace(/^(arn:aws:(?:s3:::[^/]+|dynamodb:.*:table\/[^/]+))\/.*$/, '$1');

/** Adds the KMS calls that each request causes. AWS makes the KMS calls with the caller's permissions. */
export const withKeys = (needs: readonly AccessRequest[], keys: Keys): AccessRequest[] =>
  needs.flatMap((need) => {
    const key = keys.get(ownerOf(need.resources[0] ?? ''));
    if (key === undefined) return [need];
    const via = { 'kms:ViaService': [`${need.action.split(':')[0]}.${region}.amazonaws.com`] };
    return [need, ...keyActions(need).map((action) => ({ action, resources: [key], keys: via }))];
  });
