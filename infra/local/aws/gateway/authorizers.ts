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

interface AuthorizerResult {
  principalId: string;
  policyDocument: { Statement: Statement | Statement[] };
  context?: Record<string, unknown> | null;
}

type Admission = { context: Record<string, string> } | { error: GatewayError; context: Record<string, string> };

type Authorizer = (event: APIGatewayProxyEvent, methodArn: string) => Promise<Admission>;

/** Returns the value of an identity source, such as a header; undefined if the request has no such value. */
function identityValue(source: string, event: APIGatewayProxyEvent): string | undefined {
  const [, kind, name = ''] = source.match(/^(?:method\.request\.)?(header|querystring|context)\.(.+)$/) ?? [];
  if (kind === 'querystring') return event.queryStringParameters?.[name];
  if (kind === 'context') return String(new Map(Object.entries(event.requestContext)).get(name) ?? '');
  const header = Object.entries(event.headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return header?.[1];
}

function isAuthorizerResult(value: unknown): value is AuthorizerResult {
  const result = value as Partial<AuthorizerResult> | null;
  const context = Object.values(result?.context ?? {});
  const isFlat = context.every((item) => item === null || typeof item !== 'object');
  return typeof result?.principalId === 'string' && result.policyDocument?.Statement !== undefined && isFlat;
}

function authorize(result: AuthorizerResult, methodArn: string): Admission {
  const entries = Object.entries(result.context ?? {}).map(([key, value]) => [key, String(value)]);
  const context = { ...(Object.fromEntries(entries) as Record<string, string>), principalId: result.principalId };
  const statements = [result.policyDocument.Statement].flat();
  const verdict = evaluate(statements, { action: 'execute-api:Invoke', resources: [methodArn] });
  if (verdict === 'allowed') return { context };
  const message = 'User is not authorized to access this resource';
  const detail =
    verdict === 'explicitly denied' ? `${message} with an explicit deny in an identity-based policy` : message;
  return { context, error: { type: 'ACCESS_DENIED', message: detail } };
}

function createAuthorizer(properties: AuthorizerProperties, target: LocalFunction): Authorizer {
  const sources = (properties.IdentitySource ?? '')
    .split(',')
    .map((source) => source.trim())
    .filter(Boolean);
  const lifetime = (properties.AuthorizerResultTtlInSeconds ?? 300) * 1000;
  const validation =
    properties.IdentityValidationExpression && new RegExp(`^(?:${properties.IdentityValidationExpression})$`);
  const cache = new Map<string, { result: AuthorizerResult; until: number }>();
  const reject = (type: string): Admission => ({ error: { type }, context: {} });

  return async (event, methodArn) => {
    const values = sources.map((source) => identityValue(source, event));
    if (values.some((value) => !value)) return reject('UNAUTHORIZED');
    const [token = ''] = values;
    if (properties.Type === 'TOKEN' && validation && !validation.test(token)) return reject('UNAUTHORIZED');

    // Caches the authorizer's policy for each identity, as API Gateway does. A policy that allows only one method
    // therefore denies all other methods until it expires from the cache.
    const cacheKey = JSON.stringify(values);
    const cached = lifetime > 0 ? cache.get(cacheKey) : undefined;
    if (cached && cached.until > Date.now()) return authorize(cached.result, methodArn);

    const { body: _body, isBase64Encoded: _encoded, ...request } = event;
    const outcome = await target.invoke(
      properties.Type === 'TOKEN'
        ? { type: 'TOKEN', authorizationToken: token, methodArn }
        : { ...request, type: 'REQUEST', methodArn },
    );
    if (outcome.failure) {
      return reject(
        outcome.failure.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR',
      );
    }
    const result: unknown = JSON.parse(outcome.payload);
    if (!isAuthorizerResult(result)) return reject('AUTHORIZER_CONFIGURATION_ERROR');
    if (lifetime > 0) cache.set(cacheKey, { result, until: Date.now() + lifetime });
    return authorize(result, methodArn);
  };
}

export function readAuthorizers(stack: Stack, runtime: Runtime): Map<string, Authorizer> {
  return new Map(
    stack.ofType('AWS::ApiGateway::Authorizer').map((resource) => {
      const properties = stack.properties<AuthorizerProperties>(resource);
      const arn = properties.AuthorizerUri?.match(/\/functions\/(.+)\/invocations$/)?.[1] ?? '';
      const target = runtime.find(arn);
      if (!target) throw new Error(`${resource.logicalId}: no function for its URI ${properties.AuthorizerUri}`);
      return [stack.nameOf(resource), createAuthorizer(properties, target)];
    }),
  );
}
