import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { bearerToken, decide, identityOf, scopesOf } from '../../shared/access/decide.ts';
import { claimedOrigin, type RejectionReason, tokenVerifier } from '../../shared/access/verify-token.ts';
import { resourceOf } from '../../shared/contract/api-stage.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { internalErrorLogged, tokenRefused } from '../../shared/contract/log-lines.ts';
import { routes } from '../../shared/contract/routes.ts';
import type { InternalError } from '../../shared/domain/internal-errors.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { addMetric, writeMetrics } from '../../shared/lambda/emit-metrics.ts';
import { processEnvironment, readSettings } from '../../shared/lambda/environment.ts';
import { logError, logInfo } from '../../shared/lambda/logger.ts';
import { warmUpWith } from '../../shared/lambda/warm-up.ts';

// The verifier is kept between invocations because it caches the issuer's keys.
let recognise: ReturnType<typeof recogniser> | undefined;

const onError = (fault: InternalError) => logError(internalErrorLogged, fault, { operation: authorizer.name });

const header = (event: APIGatewayRequestAuthorizerEvent, wanted: string): string | undefined =>
  Object.entries(event.headers ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1];

// The client's error response contains the same request id as this log line.
function noteRefusal(
  requestId: string,
  reason: RejectionReason | 'no bearer token' | 'scope',
  details: ReturnType<typeof claimedOrigin> & { readonly needs?: string } = {},
): void {
  logInfo(tokenRefused, { operation: authorizer.name, requestId, reason, ...details });
  addMetric('CallersRefused', 1, reason);
}

/** Creates a function that verifies a token and returns its caller and scopes. */
function recogniser() {
  const { callerClaim, scopePrefix, ...issuer } = readSettings(authorizer.reads, processEnvironment());
  const verify = tokenVerifier({ ...issuer, now: ambient.now, onError });
  const recognise = async (token: string, requestId: string) => {
    const claims = await verify(token);
    if (typeof claims !== 'string') {
      return { ...identityOf(claims, callerClaim), scopes: scopesOf(claims, scopePrefix) };
    }
    noteRefusal(requestId, claims, claimedOrigin(token));
    return undefined;
  };
  return Object.assign(recognise, { readKeys: verify.readKeys });
}

warmUpWith(() => {
  recognise ??= recogniser();
  return recognise.readKeys();
});

async function recogniseBy(token: string | undefined, requestId: string) {
  try {
    recognise ??= recogniser();
    if (token !== undefined) return await recognise(token, requestId);
    noteRefusal(requestId, 'no bearer token');
    return undefined;
  } catch (error) {
    // Lambda's error metric also counts rejected tokens, so the alarm on internal errors counts log lines instead.
    logError(internalErrorLogged, error, { operation: authorizer.name });
    throw error;
  }
}

/**
 * Authorizes requests as a Lambda authorizer of type REQUEST. API Gateway caches the policy by token, method and
 * resource path, so the policy covers only the requested route.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  try {
    return await answer(event);
  } finally {
    writeMetrics();
  }
}

async function answer(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const recognised = await recogniseBy(bearerToken(header(event, 'authorization')), event.requestContext.requestId);
  // API Gateway returns 401 only if the error message is exactly `Unauthorized`.
  if (recognised === undefined) throw new Error('Unauthorized');
  const { httpMethod, resource } = event;
  const route = routes.find(
    ({ methods, path }) => methods.some((method) => method === httpMethod) && resourceOf(path) === resource,
  );
  const decision = decide({ route, ...recognised, methodArn: event.methodArn });
  if (decision.policyDocument.Statement.some(({ Effect }) => Effect === 'Deny'))
    noteRefusal(event.requestContext.requestId, 'scope', { needs: String(decision.context?.needs) });
  return decision;
}
