import { assemblyStacks, type RawResource } from '../../../operate/release/assembly-stacks.ts';
import type { Assembly } from './template.ts';

interface LeftOut {
  /** How the types of the resources begin. */
  readonly types: string;
  /** The property that asks for it; without one every resource of the type does. */
  readonly property?: string;
  /** What is not here, and what that changes. */
  readonly line: string;
}

/** What a deployment has and a laptop has not. */
export const leftOut: readonly LeftOut[] = [
  {
    types: 'AWS::ApiGateway::Stage',
    property: 'MethodSettings',
    line: 'throttles of the API: every request is let through',
  },
  { types: 'AWS::WAFv2::', line: 'AWS WAF: nothing is refused as an attack, and no client is limited' },
  { types: 'AWS::ApiGateway::DomainName', line: 'the domain: this address is that of the API' },
  { types: 'AWS::Route53::', line: 'the zone of the domain' },
  { types: 'AWS::EC2::', line: 'the VPC: receivers are called from this machine, and those on it are allowed' },
  { types: 'AWS::Cognito::', line: 'Cognito: the issuer here gives a token to everybody' },
  { types: 'AWS::CloudWatch::', line: 'CloudWatch: nothing is measured, and no alarm rings' },
  { types: 'AWS::Lambda::Function', property: 'TracingConfig', line: 'X-Ray: nothing is traced' },
  { types: 'AWS::SES::ConfigurationSetEventDestination', line: 'bounces and complaints: mails end in the inbox here' },
  { types: 'AWS::SecretsManager::ResourcePolicy', line: 'policies of secrets' },
  { types: 'AWS::SQS::QueuePolicy', line: 'policies of queues: functions are held to their roles' },
  {
    types: 'AWS::S3::Bucket',
    property: 'ObjectLockEnabled',
    line: 'Object Lock: what is exported of the journal can be changed here',
  },
  { types: 'AWS::S3::BucketPolicy', line: 'policies of buckets: functions are held to their roles' },
];

/** What runs here, or has nothing to do here: parts of what is named above, and what only a deployment needs. */
const here: readonly string[] = [
  ...['AWS::DynamoDB::Table', 'AWS::SQS::Queue', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'],
  ...['AWS::SES::ConfigurationSet', 'AWS::Logs::LogGroup', 'AWS::Events::Rule', 'AWS::IAM::Role', 'AWS::IAM::Policy'],
  ...['AWS::Lambda::Function', 'AWS::Lambda::Permission', 'AWS::Lambda::EventSourceMapping'],
  ...['AWS::Lambda::EventInvokeConfig', 'AWS::ApiGateway::Account', 'AWS::ApiGateway::Deployment'],
  ...['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::Stage', 'AWS::ApiGateway::Resource', 'AWS::ApiGateway::Method'],
  ...['AWS::ApiGateway::GatewayResponse', 'AWS::ApiGateway::Authorizer', 'AWS::ApiGatewayV2::ApiMapping'],
  // Between SES or alarms and whoever hears of them.
  ...['AWS::KMS::Key', 'AWS::SNS::Topic', 'AWS::SNS::TopicPolicy', 'AWS::SNS::Subscription', 'AWS::CDK::Metadata'],
];

const asksFor =
  ({ Type, Properties = {} }: RawResource) =>
  ({ types, property }: LeftOut): boolean =>
    Type.startsWith(types) && (property === undefined || Properties[property] !== undefined);

/**
 * What a deployment has and the laptop has not, a line each.
 * @returns also the types that neither run here nor are listed: nobody has thought of them
 */
export async function readLeftOut({
  directory,
}: Assembly): Promise<{ readonly lines: string[]; readonly unknown: string[] }> {
  const stacks = await assemblyStacks(directory);
  const declared = stacks.flatMap(({ template }) => Object.values(template.Resources));
  const asked = leftOut.filter((one) => declared.some((resource) => asksFor(resource)(one)));
  const isKnown = (one: RawResource): boolean => here.includes(one.Type) || leftOut.some(asksFor(one));
  const unknown = declared.filter((one) => !isKnown(one)).map(({ Type }) => Type);
  return { lines: asked.map(({ line }) => line), unknown: [...new Set(unknown)].toSorted() };
}
