import type { RawTemplate } from './assembly-stacks.ts';
import { type Kept, keptOf, retentionSettingsOf } from './kept.ts';

/**
 * The types of resources with data, a public address or a fixed name, and of resources that protect data or give
 * access, with the properties whose change replaces the resource. The CloudFormation reference marks these properties
 * with "Update requires: Replacement".
 */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema'],
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema'],
  'AWS::S3::Bucket': ['BucketName'],
  // A changed generation rule replaces the secret's value, so all keys that are derived from the old value are lost.
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString'],
  'AWS::SecretsManager::ResourcePolicy': ['SecretId'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['StageName'],
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::SES::ConfigurationSet': ['Name'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes'],
  'AWS::Cognito::UserPoolClient': ['UserPoolId', 'GenerateSecret'],
  'AWS::Cognito::UserPoolResourceServer': ['UserPoolId', 'Identifier'],
  'AWS::Cognito::UserPoolDomain': ['UserPoolId', 'Domain'],
  'AWS::EC2::EIP': [],
  'AWS::KMS::Key': [],
  'AWS::Backup::BackupVault': ['BackupVaultName', 'EncryptionKeyArn'],
  'AWS::Backup::BackupPlan': [],
  'AWS::Backup::BackupSelection': [],
  'AWS::Logs::LogGroup': ['LogGroupName'],
};

/** The consequence of removing a resource that has no data of its own, by type. */
export const lossesWithout: Readonly<Record<string, string>> = {
  'AWS::Backup::BackupPlan': 'new data is not backed up',
  'AWS::Backup::BackupSelection': 'new data is not backed up',
  'AWS::SecretsManager::ResourcePolicy': 'the secret can be changed and deleted',
  'AWS::Cognito::UserPoolClient': 'its client id and secret no longer work',
  'AWS::Cognito::UserPoolResourceServer': 'clients get no tokens with its scopes',
  'AWS::Cognito::UserPoolDomain': 'clients get no tokens from its address',
};

/** Properties with a fixed name. A resource and its replacement cannot have the same name at the same time. */
export const nameProperties = ['TableName', 'BucketName', 'QueueName', 'Name', 'DomainName'] as const;

export interface ResourceExcerpt {
  readonly type: string;
  /** Whether the resource remains in the account after it is removed from the stack. */
  readonly isRetained: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly indexes?: Readonly<Record<string, unknown>>;
  /** The properties that determine how long the resource keeps its data; undefined if the data is never deleted. */
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

/** The name of an additional entry in an excerpt: the settings from which functions calculate when rows expire. */
const functionSettings = 'retention';
const settingsExcerpt: ResourceExcerpt = { type: 'Functions::settings', isRetained: true, properties: {} };

/** Removes empty parts, so that stored excerpts stay short. */
function withoutEmpty(kept: Partial<Kept>): Partial<Kept> | undefined {
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
