import type { RawTemplate } from './assembly-stacks.ts';
import { type Kept, keptOf, retentionSettingsOf } from './kept.ts';

/**
 * Resources with data, a public address or a fixed name, and the properties whose change replaces the resource. The
 * resource reference marks these properties with "Update requires: Replacement".
 */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema'],
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema'],
  'AWS::S3::Bucket': ['BucketName'],
  // A changed generation rule replaces the secret's value, so every key derived from the old value is lost.
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['StageName'],
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::SES::ConfigurationSet': ['Name'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes'],
  'AWS::EC2::EIP': [],
  'AWS::KMS::Key': [],
  'AWS::Backup::BackupVault': ['BackupVaultName', 'EncryptionKeyArn'],
  'AWS::Backup::BackupPlan': [],
  'AWS::Logs::LogGroup': ['LogGroupName'],
};

/** Properties that contain a fixed name, which a resource and its replacement cannot have at the same time. */
export const nameProperties = ['TableName', 'BucketName', 'QueueName', 'Name', 'DomainName'] as const;

export interface ResourceExcerpt {
  readonly type: string;
  /** Whether the resource stays in the account after it is removed from the stack. */
  readonly isRetained: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly indexes?: Readonly<Record<string, unknown>>;
  /** What decides how long the resource keeps its data; undefined if nothing deletes it. */
  readonly kept?: Partial<Kept>;
}

export type Excerpt = Readonly<Record<string, Readonly<Record<string, ResourceExcerpt>>>>;

interface Index {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

const sorted = <T>(given: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The entry for the settings by which functions decide when rows expire. The template has no such resource. */
const functionSettings = 'retention';
const settingsExcerpt: ResourceExcerpt = { type: 'Functions::settings', isRetained: true, properties: {} };

/** Removes empty parts, so that stored excerpts stay short. */
function withoutEmpty(kept: Kept): Partial<Kept> | undefined {
  const parts = Object.entries(kept).filter(([, part]) => Object.keys(part).length > 0);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Returns the parts of a template that an update must not change accidentally. */
export function excerptOf({ Resources }: RawTemplate): Excerpt[string] {
  const excerpts = Object.entries(Resources).flatMap(([id, resource]) => {
    const { Type, Properties = {}, DeletionPolicy = 'Delete' } = resource;
    const names = replacedBy[Type];
    if (names === undefined) return [];
    const properties = names.filter((name) => Object.hasOwn(Properties, name)).map((name) => [name, Properties[name]]);
    const indexes = (Properties.GlobalSecondaryIndexes as Index[] | undefined)?.map(
      ({ IndexName, KeySchema, Projection }) => [IndexName, { KeySchema, Projection }] as const,
    );
    const kept = withoutEmpty(keptOf(resource));
    const excerpt: ResourceExcerpt = {
      type: Type,
      isRetained: DeletionPolicy.startsWith('Retain'),
      properties: Object.fromEntries(properties),
      ...(indexes && { indexes: sorted(Object.fromEntries(indexes)) }),
      ...(kept && { kept }),
    };
    return [[id, excerpt] as const];
  });
  const deletedAfter = retentionSettingsOf(Object.values(Resources));
  return {
    ...sorted(Object.fromEntries(excerpts)),
    ...(Object.keys(deletedAfter).length > 0 && { [functionSettings]: { ...settingsExcerpt, kept: { deletedAfter } } }),
  };
}
