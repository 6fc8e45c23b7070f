import type { AwsResponse, Service } from '../emulators/aws-call.ts';
import { readKeys, withKeys } from './key-access.ts';
import { type AccessRequest, evaluate, type Statement } from './policy.ts';
import type { Stack } from './stack.ts';

interface PolicyProperties {
  PolicyDocument: { Statement: Statement | Statement[] };
  Roles?: string[];
}

interface RoleProperties {
  Policies?: { PolicyDocument: { Statement: Statement | Statement[] } }[];
}

export interface PermissionProperties {
  FunctionName: string;
  Principal: string;
  SourceArn?: string;
}

function readRoleStatements(stack: Stack): Map<string, Statement[]> {
  const statements = new Map<string, Statement[]>();
  const addStatements = (role: string, document: { Statement: Statement | Statement[] }) =>
    statements.set(role, [...(statements.get(role) ?? []), document.Statement].flat());

  for (const role of stack.ofType('AWS::IAM::Role')) {
    for (const policy of stack.properties<RoleProperties>(role).Policies ?? []) {
      addStatements(stack.nameOf(role), policy.PolicyDocument);
    }
  }
  for (const policy of stack.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    const { PolicyDocument, Roles = [] } = stack.properties<PolicyProperties>(policy);
    for (const role of Roles) addStatements(role, PolicyDocument);
  }
  return statements;
}

/** Returns the policy statements of each execution role, by the logical id of the role's function. */
export function readFunctionGrants(stack: Stack): Map<string, Statement[]> {
  const byRole = readRoleStatements(stack);
  return new Map(
    stack.ofType('AWS::Lambda::Function').map((resource) => {
      const role = stack.properties<{ Role?: string }>(resource).Role ?? '';
      return [resource.logicalId, byRole.get(role.split('/').at(-1) ?? '') ?? []];
    }),
  );
}

export interface Access {
  functionNameOf(logicalId: string): string | undefined;
  /** Adds the KMS permissions that requests to encrypted resources also require. */
  completed(needs: AccessRequest[]): AccessRequest[];
  firstDenied(logicalId: string, needs: AccessRequest[]): AccessRequest | undefined;
}

export function readAccess(stack: Stack): Access {
  const grants = readFunctionGrants(stack);
  const keys = readKeys(stack);
  return {
    completed: (needs) => withKeys(needs, keys),
    functionNameOf: (logicalId) =>
      grants.has(logicalId) ? stack.template.resources.get(logicalId)?.constructId : undefined,
    firstDenied: (logicalId, needs) => needs.find((need) => evaluate(grants.get(logicalId) ?? [], need) !== 'allowed'),
  };
}

export function accessDenied(
  service: Service,
  functionName: string,
  { action, resources }: AccessRequest,
): AwsResponse {
  const message =
    `User: ${functionName} is not authorized to perform: ${action} on resource: ${resources[0]} ` +
    `because no identity-based policy allows the ${action} action`;
  if (service === 'dynamodb' || service === 'sqs' || service === 'sesv2' || service === 'secretsmanager') {
    const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message });
    return { status: service === 'sqs' || service === 'sesv2' ? 403 : 400, body };
  }
  const error = `<Code>AccessDenied</Code><Message>${message}</Message>`;
  const body =
    service === 's3'
      ? `<?xml version="1.0" encoding="UTF-8"?><Error>${error}</Error>`
      : `<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type>${error}</Error></ErrorResponse>`;
  return { status: 403, body, headers: { 'content-type': service === 's3' ? 'application/xml' : 'text/xml' } };
}
