import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { capabilities } from '../../shared/contract/capabilities.ts';

/** Rules in cdk-nag's rule packs that some resources break, and the reason why that is acceptable. */
interface Accepted {
  readonly rules: readonly string[];
  /** A description of the resources that break the rules. */
  readonly where: string;
  readonly reason: string;
}

const nist = (rule: string): string => `NIST.800.53.R5-${rule}`;

/** The accepted rules, except those about wildcards. `npm run readme` lists them in `infra/compliance.md`. */
const accepted = {
  requestValidation: {
    rules: ['AwsSolutions-APIG2'],
    where: 'API',
    reason: 'Each function validates its requests against the contract and returns an Error object.',
  },
  webAcl: {
    rules: ['AwsSolutions-APIG3', nist('APIGWAssociatedWithWAF')],
    where: 'API',
    reason: 'The `waf` setting adds a web ACL in another stack, which the rule does not check. `prod.ts` sets `waf`.',
  },
  executionLogs: {
    rules: ['AwsSolutions-APIG6', nist('APIGWExecutionLoggingEnabled')],
    where: 'API',
    reason: 'The access log records requests by route. Execution logs would contain paths that identify persons.',
  },
  anyIssuer: {
    rules: ['AwsSolutions-COG4'],
    where: 'API',
    reason: 'A function verifies the tokens, so that the issuer can be any OpenID Connect provider.',
  },
  publicEndpoint: {
    rules: ['AwsSolutions-APIG4'],
    where: 'public endpoints',
    reason: 'The response is public, or the request needs an emailed token.',
  },
  gatewayRole: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    ],
    where: 'role of API Gateway',
    reason: 'AWS provides this policy for the role that writes the logs of all APIs in an account.',
  },
  backupRole: {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AWSBackupServiceRolePolicyForS3Backup]',
    ],
    where: 'role of AWS Backup',
    reason: 'AWS maintains these policies for AWS Backup.',
  },
  responseCache: {
    rules: [nist('APIGWCacheEnabledAndEncrypted')],
    where: 'API',
    reason: 'Most responses contain personal data or depend on the caller, so the gateway caches no responses.',
  },
  clientCertificate: {
    rules: [nist('APIGWSSLEnabled')],
    where: 'API',
    reason: 'The gateway calls only Lambda functions, which IAM authorizes. No backend checks a certificate.',
  },
  traces: {
    rules: ['Serverless-APIGWXrayEnabled', 'Serverless-LambdaTracing'],
    where: 'API, functions',
    reason: 'Tracing costs extra. The `tracing` setting turns on X-Ray tracing.',
  },
  functionFailures: {
    rules: ['Serverless-LambdaDLQ', nist('LambdaDLQ')],
    where: 'functions',
    reason:
      'Callers receive errors, and failed messages return to their queue. The next scheduled run repeats the work of a failed run. ' +
      'Operators see the errors of jobs that they invoke.',
  },
  functionLimits: {
    rules: [nist('LambdaConcurrency')],
    where: 'functions',
    reason:
      'Workers have a maximum concurrency, and the API limits requests. Concurrency limits per function would leave capacity unused. ' +
      'In production, the authorizer and `generateUin` reserve concurrency.',
  },
  functionNetwork: {
    rules: [nist('LambdaInsideVPC')],
    where: 'functions',
    reason: "Functions accept no connections. With a VPC and `vpcFor: 'all'`, all functions are in the VPC.",
  },
  ownPolicies: {
    rules: [nist('IAMNoInlinePolicy')],
    where: 'roles of functions',
    reason: 'Each function has its own role and its own policy.',
  },
  jobFailures: {
    rules: ['Serverless-LambdaAsyncFailureDestination'],
    where: 'scheduled jobs',
    reason: 'The next run repeats the work of a failed run. Alarms report late jobs.',
  },
  missedRuns: {
    rules: ['Serverless-EventBusDLQ'],
    where: 'schedules of jobs',
    reason: 'The next run of a job also does the work of a missed run. Alarms report jobs that stop running.',
  },
  workerFailures: {
    rules: ['Serverless-LambdaEventSourceMappingDestination'],
    where: 'queue workers',
    reason:
      'Lambda has no failure destinations for queues. A failed message returns to its queue, and finally moves to the dead-letter queue.',
  },
  deadLetters: {
    rules: ['Serverless-SQSRedrivePolicy'],
    where: 'dead-letter queues',
    reason: 'A dead-letter queue needs no dead-letter queue of its own.',
  },
  alarmEmails: {
    rules: ['Serverless-SNSRedrivePolicy'],
    where: 'topic for alarms',
    reason: 'Undelivered alarm emails are not kept, because a late alarm is useless.',
  },
  alarmRecipients: {
    rules: [nist('CloudWatchAlarmAction')],
    where: 'alarms',
    reason:
      'Only stages without an alarm recipient break this rule. A production stage must name a recipient or `none`.',
  },
  rotation: {
    rules: ['AwsSolutions-SMG4', nist('SecretsManagerRotationEnabled')],
    where: 'secrets',
    reason:
      'Operators announce a new signing key before they use it, because receivers cache keys. ' +
      'The naming secret must not change, because ids are derived from it.',
  },
  keysOfAws: {
    rules: [nist('SecretsManagerUsingKMSKey'), nist('S3DefaultEncryptionKMS'), nist('CloudWatchLogGroupEncrypted')],
    where: 'secrets, buckets, log groups',
    reason: 'If the `keyArn` setting is empty, AWS encrypts the data with its own keys.',
  },
  accessLogs: {
    rules: ['AwsSolutions-S1', nist('S3BucketLoggingEnabled')],
    where: 'buckets',
    reason:
      'S3 may lose server access log lines. Instead, you can turn on [CloudTrail](#record-access-to-objects), which records who reads objects.',
  },
  replication: {
    rules: [nist('S3BucketReplicationEnabled')],
    where: 'buckets',
    reason:
      'Buckets have versions. You can [copy backups of documents to another Region](runbook/restore.md#the-region).',
  },
  flowLogs: {
    rules: ['AwsSolutions-VPC7', nist('VPCFlowLogsEnabled')],
    where: 'VPC',
    reason: 'Delivery records list the latest attempts. You can add flow logs to the VPC.',
  },
  defaultGroup: {
    rules: [nist('VPCDefaultSecurityGroupClosed')],
    where: 'VPC',
    reason: 'No resource uses the default security group.',
  },
  publicSubnets: {
    rules: [nist('VPCNoUnrestrictedRouteToIGW')],
    where: 'public subnets',
    reason: 'The subnets contain only NAT gateways, which need a route to the internet.',
  },
  programs: {
    rules: ['AwsSolutions-COG8'],
    where: 'user pool',
    reason: 'The Plus plan protects people who sign in. The clients of this user pool are programs.',
  },
} as const satisfies Record<string, Accepted>;

/** Marks rules as accepted for a construct and its children. */
export function accept(construct: IConstruct, ...names: readonly (keyof typeof accepted)[]): void {
  const list = names.flatMap((name) => accepted[name].rules.map((id) => ({ id, reason: accepted[name].reason })));
  Validations.of(construct).acknowledge(...list);
}

/** Reasons for policy wildcards that are not part of a function's capabilities. */
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

/** Every accepted rule. The rule ids do not include the suffix that identifies a finding. */
export const acceptedRules = [...Object.values<Accepted>(accepted), wildcards]
  .flatMap(({ rules, where, reason }) =>
    [...new Set(rules.map((id) => id.replace(/\[.*/, '')))].map((rule) => ({ rule, where, reason })),
  )
  .toSorted((one, other) => (one.rule < other.rule ? -1 : 1));
