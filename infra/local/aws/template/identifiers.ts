import { createHash } from 'node:crypto';

/** The Region and account of all local resources. The account number is hard-coded in fauxqs. */
export const region = 'us-east-1';
export const account = '000000000000';

/** How resources of a type are named, and what `Ref` and `Fn::GetAtt` return. */
interface Naming {
  nameProperty?: string;
  arn?: (name: string) => string;
  /** The value that `Ref` returns. The default is the resource's name. */
  ref?: 'arn' | 'queueUrl';
  attributes?: Record<string, (name: string) => string>;
}

const regional = (service: string, prefix = '') => {
  return (name: string) => `arn:aws:${service}:${region}:${account}:${prefix}${name}`;
};

const namings: Record<string, Naming> = {
  'AWS::DynamoDB::GlobalTable': {
    nameProperty: 'TableName',
    arn: regional('dynamodb', 'table/'),
    attributes: { StreamArn: (name) => `${regional('dynamodb', 'table/')(name)}/stream/local` },
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    arn: regional('sqs'),
    ref: 'queueUrl',
    attributes: { QueueName: (name) => name },
  },
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    arn: (name) => `arn:aws:s3:::${name}`,
    attributes: { DomainName: (name) => `${name}.s3.amazonaws.com` },
  },
  'AWS::Lambda::Function': { nameProperty: 'FunctionName', arn: regional('lambda', 'function:') },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    arn: (name) => `arn:aws:iam::${account}:role/${name}`,
    attributes: { RoleId: (name) => name },
  },
  'AWS::ApiGateway::RestApi': { attributes: { RootResourceId: () => 'root', RestApiId: (name) => name } },
  'AWS::ApiGateway::Stage': { nameProperty: 'StageName' },
  'AWS::ApiGateway::Authorizer': { attributes: { AuthorizerId: (name) => name } },
  'AWS::Logs::LogGroup': { nameProperty: 'LogGroupName', arn: (name) => `${regional('logs', 'log-group:')(name)}:*` },
  'AWS::SES::EmailIdentity': { nameProperty: 'EmailIdentity', arn: regional('ses', 'identity/') },
  'AWS::SES::ConfigurationSet': { nameProperty: 'Name', arn: regional('ses', 'configuration-set/') },
  'AWS::SecretsManager::Secret': { nameProperty: 'Name', arn: regional('secretsmanager', 'secret:'), ref: 'arn' },
  'AWS::SNS::Topic': { nameProperty: 'TopicName', arn: regional('sns'), ref: 'arn' },
  'AWS::Events::Rule': { nameProperty: 'Name', arn: regional('events', 'rule/') },
  'AWS::Scheduler::Schedule': { nameProperty: 'Name', arn: regional('scheduler', 'schedule/default/') },
  'AWS::KMS::Key': { arn: regional('kms', 'key/') },
};

export function namingOf(type: string): Naming {
  return namings[type] ?? {};
}

/** Returns a readable name that is valid for every service. The name never changes, so that saved data stays usable. */
export function derivedName(type: string, stackName: string, constructId: string, logicalId: string): string {
  const hash = createHash('sha256').update(logicalId).digest('hex').slice(0, 6);
  const readable = `${stackName}-${constructId}`.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 50);
  const name = `${readable}-${hash}`;
  return type === 'AWS::S3::Bucket' ? name.toLowerCase() : name;
}

export function functionNameOf(arn: string): string {
  return arn.match(/:function:([^:/]+)/)?.[1] ?? arn;
}
