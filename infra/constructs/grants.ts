import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { type Capability, type CapabilityName, capabilities, variableOf } from '../../shared/contract/capabilities.ts';
import { type SettingName, settingVariable } from '../../shared/contract/settings.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { acceptWildcards } from './accepted-rules.ts';
import type { Documents } from './documents.ts';
import { grantKey } from './encryption.ts';
import type { Queues } from './queues.ts';
import type { Secrets } from './secrets.ts';
import type { Tables } from './tables.ts';

export interface Resources {
  readonly tables: Tables;
  readonly queues: Queues;
  readonly secrets: Secrets;
  readonly documents: Pick<Documents, 'byName'>;
  readonly settings: DeploymentSettings;
}

/** Returns the address of a capability's resource, and the IAM statements that grant the capability. */
function resolve(capability: Capability, resources: Resources, stack: Stack) {
  const { tables, queues, secrets, documents, settings } = resources;
  const actions = [...capability.actions];
  if ('table' in capability) {
    const { tableArn, tableName } = tables.byName[capability.table];
    const indexArns = (capability.queries ?? []).map((index) => `${tableArn}/index/${index}`);
    const querying = new PolicyStatement({ actions: ['dynamodb:Query'], resources: indexArns });
    const onTable = new PolicyStatement({ actions, resources: [tableArn] });
    return {
      address: tableName,
      statements: [...(actions.length > 0 ? [onTable] : []), ...(indexArns.length > 0 ? [querying] : [])],
    };
  }
  if ('queue' in capability) {
    const { queueArn, queueUrl } = queues.byName[capability.queue];
    return { address: queueUrl, statements: [new PolicyStatement({ actions, resources: [queueArn] })] };
  }
  if ('bucket' in capability) {
    const { bucketName, bucketArn } = documents.byName[capability.bucket];
    const below = `${capability.prefix}*`;
    const isListing = (action: string): boolean => action.startsWith('s3:ListBucket');
    const [listing, using] = [actions.filter(isListing), actions.filter((action) => !isListing(action))];
    const onObjects = new PolicyStatement({ actions: using, resources: [`${bucketArn}/${below}`] });
    const conditions = { StringLike: { 's3:prefix': below } };
    const onBucket = new PolicyStatement({ actions: listing, resources: [bucketArn], conditions });
    return {
      address: bucketName,
      statements: [...(using.length > 0 ? [onObjects] : []), ...(listing.length > 0 ? [onBucket] : [])],
    };
  }
  if ('secret' in capability) {
    const { secretArn } = secrets.byName[capability.secret];
    return { address: secretArn, statements: [new PolicyStatement({ actions, resources: [secretArn] })] };
  }
  const arns = capability
    .resources?.(settings)
    .map(([service, resource, resourceName]) => stack.formatArn({ service, resource, resourceName }));
  // If actions have no resource types, IAM grants them only on `*`. A condition restricts actions without resource
  // types to the Region.
  const region = arns ? {} : { 'aws:RequestedRegion': stack.region };
  const conditions = { StringEquals: { ...capability.conditions?.(settings), ...region } };
  return {
    address: capability.address(settings),
    statements: [new PolicyStatement({ actions, resources: arns ?? ['*'], conditions })],
  };
}

// Converts an ARN that contains intrinsic functions to cdk-nag's notation.
function arnText(arn: unknown): string {
  if (typeof arn !== 'object' || arn === null) return String(arn);
  const [[name, value] = []] = Object.entries(arn);
  if (name === 'Fn::ImportValue') return String(value);
  if (name === 'Fn::Join') return (value[1] as unknown[]).map(arnText).join(value[0]);
  return `<${[value].flat().join('.')}>`;
}

/** Records for cdk-nag why a role may use resources whose names are not known in advance. */
function explainWildcards(role: IConstruct, statement: PolicyStatement, reason: string): void {
  const wild = Stack.of(role)
    .resolve(statement.resources)
    .map(arnText)
    .filter((arn: string) => arn.includes('*'));
  acceptWildcards(role, wild, reason);
}

/** @param more additional KMS calls that Lambda makes with the function's role */
export function grant(
  lambda: LambdaFunction,
  uses: readonly CapabilityName[],
  resources: Resources,
  ...more: Parameters<typeof grantKey>[3]
): void {
  for (const use of uses) {
    const capability: Capability = capabilities[use];
    const { address, statements } = resolve(capability, resources, Stack.of(lambda));
    for (const statement of statements) {
      lambda.addToRolePolicy(statement);
      if ('wildcard' in capability && lambda.role) explainWildcards(lambda.role, statement, capability.wildcard);
    }
    lambda.addEnvironment(variableOf(capability), address);
  }
  grantKey(
    lambda,
    resources.settings.keyArn,
    uses.map((use) => capabilities[use]),
    more,
  );
}

export const settingVariables = (reads: readonly SettingName[], values: DeploymentSettings): Record<string, string> =>
  Object.fromEntries(reads.map((name) => [settingVariable(name), values[name]]));
