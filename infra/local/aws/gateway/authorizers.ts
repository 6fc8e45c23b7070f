import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { LocalFunction, Runtime } from '../functions/runtime.ts';
import { evaluate, type Statement } from '../template/policy.ts';
import type { Stack } from '../template/stack.ts';
import type { GatewayError } from './gateway-responses.ts';

interface AuthorizerProperties {
  Type: 'TOKEN' | 'REQUEST' | string;
  AuthorizerUri: string;
  IdentitySource?: string;
  IdentityValidationExpression?: string;
  AuthorizerResultTtlInSeconds?: number;
}

interface AuthorizerAnswer {
  principalId: string;
  policyDocument: { Statement: Statement | Statement[] };
  context?: Record<string, unknown> | null;
}

type Admission = { context: Record<string, string> } | { refusal: GatewayError; context: Record<string, string> };

type Authorizer = (event: APIGatewayProxyEvent, methodArn: string) => Promise<Admission>;

/** Where the caller's identity is read from; undefined where the request lacks it. */
function identityValue(source: string, event: APIGatewayProxyEvent): string | undefined {
  const [, kind, name = ''] = source.match(/^(?:method\.request\.)?(header|querystring|context)\.(.+)$/) ?? [];
  if (kind === 'querystring') return event.queryStringParameters?.[name];
  if (kind === 'context') return String(new Map(Object.entries(event.requestContext)).get(name) ?? '');
  const header = Object.entries(event.headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return header?.[1];
}

function isAnswer(value: unknown): value is AuthorizerAnswer {
  const answer = value as Partial<AuthorizerAnswer> | null;
  const context = Object.values(answer?.context ?? {});
  const isFlat = context.every((item) => item === null || typeof item !== 'object');
  return typeof answer?.principalId === 'string' && answer.policyDocument?.Statement !== undefined && isFlat;
}

function admit(answer: AuthorizerAnswer, methodArn: string): Admission {
  const entries = Object.entries(answer.context ?? {}).map(([key, value]) => [key, String(value)]);
  const context = { ...(Object.fromEntries(entries) as Record<string, string>), principalId: answer.principalId };
  const statements = [answer.policyDocument.Statement].flat();
  const verdict = evaluate(statements, { action: 'execute-api:Invoke', resources: [methodArn] });
  if (verdict === 'allowed') return { context };
  const message = 'User is not authorized to access this resource';
  const detail =
    verdict === 'explicitly denied' ? `${message} with an explicit deny in an identity-based policy` : message;
  return { context, refusal: { type: 'ACCESS_DENIED', message: detail } };
}

function createAuthorizer(properties: AuthorizerProperties, target: LocalFunction): Authorizer {
  const sources = (properties.IdentitySource ?? '')
    .split(',')
    .map((source) => source.trim())
    .filter(Boolean);
  const lifetime = (properties.AuthorizerResultTtlInSeconds ?? 300) * 1000;
  const validation =
    properties.IdentityValidationExpression && new RegExp(`^(?:${properties.IdentityValidationExpression})$`);
  const answers = new Map<string, { answer: AuthorizerAnswer; until: number }>();
  const refuse = (type: string): Admission => ({ refusal: { type }, context: {} });

  return async (event, methodArn) => {
    const values = sources.map((source) => identityValue(source, event));
    if (values.some((value) => !value)) return refuse('UNAUTHORIZED');
    const [token = ''] = values;
    if (properties.Type === 'TOKEN' && validation && !validation.test(token)) return refuse('UNAUTHORIZED');

    // The whole policy is cached for the identity, and judged again for every method: as in the cloud, a policy
    // that names one method only refuses the next one until it expires.
    const cacheKey = JSON.stringify(values);
    const cached = lifetime > 0 ? answers.get(cacheKey) : undefined;
    if (cached && cached.until > Date.now()) return admit(cached.answer, methodArn);

    const { body: _body, isBase64Encoded: _encoded, ...request } = event;
    const outcome = await target.invoke(
      properties.Type === 'TOKEN'
        ? { type: 'TOKEN', authorizationToken: token, methodArn }
        : { ...request, type: 'REQUEST', methodArn },
    );
    if (outcome.failure) {
      return refuse(
        outcome.failure.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR',
      );
    }
    const answer: unknown = JSON.parse(outcome.payload);
    if (!isAnswer(answer)) return refuse('AUTHORIZER_CONFIGURATION_ERROR');
    if (lifetime > 0) answers.set(cacheKey, { answer, until: Date.now() + lifetime });
    return admit(answer, methodArn);
  };
}

/** The template's Lambda authorizers, by the id that methods refer to. */
export function readAuthorizers(stack: Stack, runtime: Runtime): Map<string, Authorizer> {
  return new Map(
    stack.ofType('AWS::ApiGateway::Authorizer').map((resource) => {
      const properties = stack.properties<AuthorizerProperties>(resource);
      const arn = properties.AuthorizerUri?.match(/\/functions\/(.+)\/invocations$/)?.[1] ?? '';
      const target = runtime.find(arn);
      if (!target) throw new Error(`${resource.logicalId}: no function behind its URI ${properties.AuthorizerUri}`);
      return [stack.nameOf(resource), createAuthorizer(properties, target)];
    }),
  );
}
