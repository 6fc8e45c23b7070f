import { assemblyStacks, type RawResource } from '../../../operate/release/assembly-stacks.ts';
import type { Assembly } from './template.ts';

interface NotEmulated {
  readonly types: string;
  /** The property that a resource must have for the entry to apply; undefined if the entry applies to all resources. */
  readonly property?: string;
  /** The name of the missing feature, and how the local stack behaves instead. */
  readonly line: string;
}

export const notEmulated: readonly NotEmulated[] = [
  {
    types: 'AWS::ApiGateway::Stage',
    property: 'MethodSettings',
    line: 'API throttling: requests are not limited',
  },
  { types: 'AWS::WAFv2::', line: 'AWS WAF: requests are not blocked or rate-limited' },
  { types: 'AWS::ApiGateway::DomainName', line: 'custom domain: the API is available only at the local address' },
  { types: 'AWS::Route53::', line: 'Route 53' },
  {
    types: 'AWS::EC2::',
    line: 'VPC: functions call receivers from this machine, and receivers may also run on this machine',
  },
  { types: 'AWS::Cognito::', line: 'Cognito: the local issuer issues tokens to every client' },
  { types: 'AWS::Backup::', line: 'AWS Backup: no backups' },
  { types: 'AWS::CloudWatch::', line: 'CloudWatch: no metrics, no alarms' },
  { types: 'AWS::Lambda::Function', property: 'TracingConfig', line: 'X-Ray: no traces' },
  { types: 'AWS::SES::ConfigurationSetEventDestination', line: 'bounces and complaints: never generated locally' },
  { types: 'AWS::SecretsManager::ResourcePolicy', line: 'resource policies of secrets' },
  {
    types: 'AWS::SQS::Queue',
    property: 'KmsMasterKeyId',
    line: 'KMS: data is not encrypted, but functions need permission to use the key',
  },
  { types: 'AWS::SQS::QueuePolicy', line: 'queue policies: only the permissions of functions are checked' },
  {
    types: 'AWS::S3::Bucket',
    property: 'ObjectLockEnabled',
    line: 'Object Lock: exported journal files can be changed',
  },
  { types: 'AWS::S3::BucketPolicy', line: 'bucket policies: only the permissions of functions are checked' },
];

/** Resource types that the local stack emulates or does not need. */
const emulated: readonly string[] = [
  ...['AWS::DynamoDB::GlobalTable', 'AWS::SQS::Queue', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'],
  ...['AWS::SES::ConfigurationSet', 'AWS::Logs::LogGroup', 'AWS::Events::Rule', 'AWS::IAM::Role', 'AWS::IAM::Policy'],
  ...['AWS::Lambda::Function', 'AWS::Lambda::Permission', 'AWS::Lambda::EventSourceMapping'],
  ...['AWS::Lambda::EventInvokeConfig', 'AWS::ApiGateway::Account', 'AWS::ApiGateway::Deployment'],
  ...['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::Stage', 'AWS::ApiGateway::Resource', 'AWS::ApiGateway::Method'],
  ...['AWS::ApiGateway::GatewayResponse', 'AWS::ApiGateway::Authorizer', 'AWS::ApiGatewayV2::ApiMapping'],
  // The local stack does not need the resources that connect SES or alarms to their recipients.
  ...['AWS::KMS::Key', 'AWS::SNS::Topic', 'AWS::SNS::TopicPolicy', 'AWS::SNS::Subscription', 'AWS::CDK::Metadata'],
];

const usesFeature =
  ({ Type, Properties = {} }: RawResource) =>
  ({ types, property }: NotEmulated): boolean =>
    Type.startsWith(types) && (property === undefined || Properties[property] !== undefined);

/**
 * Lists the features of the assembly that the local stack does not emulate, one per line.
 * @returns the lines, and the resource types that are in neither `emulated` nor `notEmulated`
 */
export async function readNotEmulated({
  directory,
}: Assembly): Promise<{ readonly lines: string[]; readonly unknown: string[] }> {
  const stacks = await assemblyStacks(directory);
  const declared = stacks.flatMap(({ template }) => Object.values(template.Resources));
  const used = notEmulated.filter((one) => declared.some((resource) => usesFeature(resource)(one)));
  const isListed = (one: RawResource): boolean => emulated.includes(one.Type) || notEmulated.some(usesFeature(one));
  const unknown = declared.filter((one) => !isListed(one)).map(({ Type }) => Type);
  return { lines: used.map(({ line }) => line), unknown: [...new Set(unknown)].toSorted() };
}
