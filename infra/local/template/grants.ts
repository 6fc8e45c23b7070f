import type { Statement } from '../aws/template/policy.ts';
import type { Stack } from '../aws/template/stack.ts';

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

/** The statements that the template gives each role, by the role's name. */
function readRoleStatements(stack: Stack): Map<string, Statement[]> {
  const statements = new Map<string, Statement[]>();
  const give = (role: string, document: { Statement: Statement | Statement[] }) =>
    statements.set(role, [...(statements.get(role) ?? []), document.Statement].flat());

  for (const role of stack.ofType('AWS::IAM::Role')) {
    for (const policy of stack.properties<RoleProperties>(role).Policies ?? []) {
      give(stack.nameOf(role), policy.PolicyDocument);
    }
  }
  for (const policy of stack.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    const { PolicyDocument, Roles = [] } = stack.properties<PolicyProperties>(policy);
    for (const role of Roles) give(role, PolicyDocument);
  }
  return statements;
}

/** The statements of each function's execution role, by the function's logical id. */
export function readFunctionGrants(stack: Stack): Map<string, Statement[]> {
  const byRole = readRoleStatements(stack);
  return new Map(
    stack.ofType('AWS::Lambda::Function').map((resource) => {
      const role = stack.properties<{ Role?: string }>(resource).Role ?? '';
      return [resource.logicalId, byRole.get(role.split('/').at(-1) ?? '') ?? []];
    }),
  );
}
