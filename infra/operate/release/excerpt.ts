import type { RawTemplate } from './assembly-stacks.ts';

/**
 * What holds data, or is known outside by its address or name; and the properties whose change makes CloudFormation put a new
 * one in its place ("Update requires: Replacement" in its reference of resources).
 */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema'],
  'AWS::S3::Bucket': ['BucketName'],
  // Another rule of drawing draws a new value, by which every key that was made of the old one is lost.
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['StageName'],
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::SES::ConfigurationSet': ['Name'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes'],
  'AWS::EC2::EIP': [],
};

/** Of these the name is ours, and taken in the account for as long as its resource is there. */
export const nameProperties = ['TableName', 'BucketName', 'QueueName', 'Name', 'DomainName'] as const;

export interface ResourceExcerpt {
  readonly type: string;
  /** Whether it stays in the account when the stack forgets it. */
  readonly isRetained: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of a table: keys and projection by the index's name. */
  readonly indexes?: Readonly<Record<string, unknown>>;
}

/** Of the resources that matter to an update, by stack and logical id. */
export type Excerpt = Readonly<Record<string, Readonly<Record<string, ResourceExcerpt>>>>;

interface Index {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

const sorted = <T>(given: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** What an update of this template must not change by a slip. */
export function excerptOf({ Resources }: RawTemplate): Excerpt[string] {
  const kept = Object.entries(Resources).flatMap(([id, { Type, Properties = {}, DeletionPolicy = 'Delete' }]) => {
    const names = replacedBy[Type];
    if (names === undefined) return [];
    const properties = names.filter((name) => Object.hasOwn(Properties, name)).map((name) => [name, Properties[name]]);
    const indexes = (Properties.GlobalSecondaryIndexes as Index[] | undefined)?.map(
      ({ IndexName, KeySchema, Projection }) => [IndexName, { KeySchema, Projection }] as const,
    );
    const excerpt: ResourceExcerpt = {
      type: Type,
      isRetained: DeletionPolicy.startsWith('Retain'),
      properties: Object.fromEntries(properties),
      ...(indexes && { indexes: sorted(Object.fromEntries(indexes)) }),
    };
    return [[id, excerpt] as const];
  });
  return sorted(Object.fromEntries(kept));
}
