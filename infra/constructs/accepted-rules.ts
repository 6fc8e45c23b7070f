import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { capabilities } from '../../shared/contract/capabilities.ts';

/** Rules of the rule packs (cdk-nag) that some of our resources break, and the reason why this is acceptable. */
interface Accepted {
  readonly rules: readonly string[];
  /** The resources that break the rules. */
  readonly where: string;
  readonly reason: string;
}

const nist = (rule: string): string => `NIST.800.53.R5-${rule}`;

/** The accepted rules, without wildcards in policies. `npm run readme` writes them to `infra/compliance.md`. */
const accepted = {
  requestValidation: {
    rules: ['AwsSolutions-APIG2'],
    where: 'API',
    reason: 'Each function validates its requests against the contract and returns an Error object.',
  },
  webAcl: {
    rules: ['AwsSolutions-APIG3', nist('APIGWAssociatedWithWAF')],
    where: 'API',
    reason: 'The setting `waf` adds a web ACL in its own stack, which the rule does not read. `prod.ts` sets it.',
  },
  executionLogs: {
    rules: ['AwsSolutions-APIG6', nist('APIGWExecutionLoggingEnabled')],
    where: 'API',
    reason: 'The access log records requests by route. Execution logs would contain paths, which identify persons.',
  },
  anyIssuer: {
    rules: ['AwsSolutions-COG4'],
    where: 'API',
    reason: 'A function verifies the tokens, so that the issuer can be any OpenID Connect provider.',
  },
  publicEndpoint: {
    rules: ['AwsSolutions-APIG4'],
    where: 'public endpoints',
    reason: 'The response is for everyone, or the request needs a token from an email.',
  },
  gatewayRole: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    ],
    where: 'role of API Gateway',
    reason: 'An account has one role for the logs of all its APIs, and AWS provides this policy for it.',
  },
  backupRole: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AWSBackupServiceRolePolicyForS3Backup]',
    ],
    where: 'role of AWS Backup',
    reason: 'AWS updates these policies when AWS Backup needs new permissions.',
  },
  responseCache: {
    rules: [nist('APIGWCacheEnabledAndEncrypted')],
    where: 'API',
    reason: 'Responses contain personal data and depend on the caller, so the gateway caches none.',
  },
  clientCertificate: {
    rules: [nist('APIGWSSLEnabled')],
    where: 'API',
    reason: 'The gateway calls only Lambda functions, which IAM authorizes. No backend checks a certificate.',
  },
  traces: {
    rules: ['Serverless-APIGWXrayEnabled', 'Serverless-LambdaTracing'],
    where: 'API, functions',
    reason: 'Tracing costs extra. The setting `tracing` turns it on.',
  },
  functionFailures: {
    rules: ['Serverless-LambdaDLQ', nist('LambdaDLQ')],
    where: 'functions',
    reason: 'Callers receive the error, messages return to their queue, and jobs run again.',
  },
  functionLimits: {
    rules: [nist('LambdaConcurrency')],
    where: 'functions',
    reason:
      'Workers have a maximum concurrency, and the API limits requests. A limit per function would leave capacity unused. ' +
      'In production, the authorizer and `generateUin` reserve concurrency.',
  },
  functionNetwork: {
    rules: [nist('LambdaInsideVPC')],
    where: 'functions',
    reason: "Functions accept no connections. With `vpcFor: 'all'`, a VPC contains all of them.",
  },
  ownPolicies: {
    rules: [nist('IAMNoInlinePolicy')],
    where: 'roles of functions',
    reason: 'Each function has its own role, with a policy that no other role has.',
  },
  jobFailures: {
    rules: ['Serverless-LambdaAsyncFailureDestination'],
    where: 'jobs',
    reason:
      'The next scheduled run repeats the work of a failed run, and alarms report jobs that are behind. ' +
      'Operators see the errors of jobs that they invoke.',
  },
  missedRuns: {
    rules: ['Serverless-EventBusDLQ'],
    where: 'schedules of jobs',
    reason: 'The next run also does the work of a missed run. Alarms report missing runs.',
  },
  workerFailures: {
    rules: ['Serverless-LambdaEventSourceMappingDestination'],
    where: 'queue workers',
    reason:
      'Queues have no failure destination in Lambda. A failed message returns to its queue and finally becomes a dead letter.',
  },
  deadLetters: {
    rules: ['Serverless-SQSRedrivePolicy'],
    where: 'dead-letter queues',
    reason: 'A dead-letter queue needs no dead-letter queue of its own.',
  },
  alarmEmails: {
    rules: ['Serverless-SNSRedrivePolicy'],
    where: 'topic for alarms',
    reason: 'An alarm email that arrives late is useless, so failed emails are not kept.',
  },
  alarmRecipients: {
    rules: [nist('CloudWatchAlarmAction')],
    where: 'alarms',
    reason: 'Applies only if a stage has no recipient. A production stage must name one, or state that it has none.',
  },
  rotation: {
    rules: ['AwsSolutions-SMG4', nist('SecretsManagerRotationEnabled')],
    where: 'secrets',
    reason:
      'Receivers cache the signing key, so operators announce a new key before they use it. ' +
      'The naming secret must not change, because ids are derived from it.',
  },
  keysOfAws: {
    rules: [nist('SecretsManagerUsingKMSKey'), nist('S3DefaultEncryptionKMS'), nist('CloudWatchLogGroupEncrypted')],
    where: 'secrets, buckets, log groups',
    reason: 'Applies only if the setting `keyArn` is empty. AWS then encrypts them with its own keys.',
  },
  accessLogs: {
    rules: ['AwsSolutions-S1', nist('S3BucketLoggingEnabled')],
    where: 'buckets',
    reason:
      'S3 may lose lines of server access logs. Instead, [CloudTrail](#record-access-to-objects) records who reads objects, once you turn it on.',
  },
  replication: {
    rules: [nist('S3BucketReplicationEnabled')],
    where: 'buckets',
    reason:
      'Old versions of objects are kept. A copy in another Region is [your decision](runbook/restore.md#the-region).',
  },
  flowLogs: {
    rules: ['AwsSolutions-VPC7', nist('VPCFlowLogsEnabled')],
    where: 'VPC',
    reason: 'Delivery records contain the last attempts of each delivery. You can add flow logs to the VPC.',
  },
  defaultGroup: {
    rules: [nist('VPCDefaultSecurityGroupClosed')],
    where: 'VPC',
    reason: 'Nothing uses the default security group.',
  },
  publicSubnets: {
    rules: [nist('VPCNoUnrestrictedRouteToIGW')],
    where: 'public subnets',
    reason: 'They contain only NAT gateways, which need a route to the internet.',
  },
  programs: {
    rules: ['AwsSolutions-COG8'],
    where: 'user pool',
    reason: 'The Plus plan protects people who sign in. The clients of this user pool are programs.',
  },
} as const satisfies Record<string, Accepted>;

/** Accepts that a construct and its children break rules of the rule packs. */
export function accept(construct: IConstruct, ...names: readonly (keyof typeof accepted)[]): void {
  const list = names.flatMap((name) => accepted[name].rules.map((id) => ({ id, reason: accepted[name].reason })));
  Validations.of(construct).acknowledge(...list);
}

/** Reasons for wildcards in the policies of functions that do not come from a capability. */
export const wildcardReasons = {
  networkInterfaces: "a network interface has no name before it is created, and the function's code may create none",
  traces: 'X-Ray has no resource names',
} as const;

/** Accepts that a role may use resources whose names are not known in advance. */
export function acceptWildcards(role: IConstruct, arns: readonly string[], reason: string): void {
  const list = arns.map((arn) => ({ id: `AwsSolutions-IAM5[Resource::${arn}]`, reason }));
  Validations.of(role).acknowledge(...list);
}

const wildcards: Accepted = {
  rules: ['AwsSolutions-IAM5'],
  where: 'roles of functions',
  reason: [
    ...Object.values(capabilities).flatMap((one) => ('wildcard' in one ? [one.wildcard] : [])),
    ...Object.values(wildcardReasons),
  ]
    .filter((reason, at, all) => all.indexOf(reason) === at)
    .map((reason) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`)
    .join(' '),
};

/** Every accepted rule, without the part of its id that names a finding. */
export const acceptedRules = [...Object.values<Accepted>(accepted), wildcards]
  .flatMap(({ rules, where, reason }) =>
    [...new Set(rules.map((id) => id.replace(/\[.*/, '')))].map((rule) => ({ rule, where, reason })),
  )
  .toSorted((one, other) => (one.rule < other.rule ? -1 : 1));
