import { readFunctionGrants } from '../../../infra/local/aws/template/access.ts';
import { type AccessRequest, matchesPattern, type Statement } from '../../../infra/local/aws/template/policy.ts';
import { openStack } from '../../../infra/local/aws/template/stack.ts';
import { type Assembly, readTemplate } from '../../../infra/local/aws/template/template.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';

/** One action on one resource that a policy statement allows a function. */
export interface Grant {
  readonly functionName: string;
  readonly action: string;
  /** An ARN, which may end with a wildcard. */
  readonly resource: string;
  /** For a grant on a key: the service through which the function may use the key. */
  readonly via?: string;
}

// Lambda itself uses these actions, with the role of a function, to write logs and to read queues. Our code does not
// use these actions.
const logging = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const feeding = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

const isLambdas = ({ Action = [] }: Statement, action: string): boolean =>
  logging.includes(action) || (feeding.includes(action) && [Action].flat().includes('sqs:ReceiveMessage'));

/** Returns the grants in a synthesized stack that our own code may need. */
export function grantsOf(assembly: Assembly): Grant[] {
  const stack = openStack(readTemplate(assembly), { baseUrl: 'http://127.0.0.1', sqsEndpoint: 'http://127.0.0.1' });
  return [...readFunctionGrants(stack)].flatMap(([logicalId, statements]) => {
    const functionName = stack.template.resources.get(logicalId)?.constructId ?? logicalId;
    return statements.flatMap((statement) =>
      [statement.Action ?? []]
        .flat()
        .filter((action) => !isLambdas(statement, action))
        .flatMap((action) => [statement.Resource ?? []].flat().map((resource) => ({ functionName, action, resource })))
        .flatMap((grant): Grant[] => {
          const via = statement.Condition?.StringEquals?.['kms:ViaService'];
          return via === undefined ? [grant] : [via].flat().map((service) => ({ ...grant, via: String(service) }));
        }),
    );
  });
}

/** Returns whether a grant allows a request. */
export const isUseOf = ({ action, resources, keys }: AccessRequest, grant: Grant): boolean =>
  action === grant.action &&
  resources.some((resource) => matchesPattern(grant.resource, resource)) &&
  (grant.via === undefined || (keys?.['kms:ViaService'] ?? []).includes(grant.via));

const workerOf = (functionName: string): string =>
  workerLanes.find(({ lane }) => lane === functionName)?.worker ?? functionName;

/** Returns whether two functions have the same grants. All lanes of a worker have the same grants. */
export const areAlike = (one: string, other: string): boolean => workerOf(one) === workerOf(other);

/** Returns all functions that have the same grants as the given function, including this function. */
export const alikeTo = (functionName: string): readonly string[] => {
  const lanes = workerLanes.map(({ lane }): string => lane).filter((lane) => areAlike(lane, functionName));
  return lanes.length === 0 ? [functionName] : lanes;
};

/** Returns the name of a grant in lists, such as `subscribe dynamodb:PutItem subscriptions`. */
export function named({ functionName, action, resource, via }: Grant): string {
  if (via !== undefined) return `${functionName} ${action} via ${via.split('.')[0]}`;
  const place = resource.replace(/^arn:.*registry-dev-/i, '').replace(/-[0-9a-f]{6}(?=$|\/)/, '');
  return `${functionName} ${action} ${place}`;
}
