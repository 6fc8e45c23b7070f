import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { bearerToken, callerOf, clientOf, decide, principalOf, scopesOf } from '../../shared/access/decide.ts';
import { type ClaimedOrigin, claimedOrigin, type RefusalReason } from '../../shared/access/token-rejection.ts';
import { tokenVerifier } from '../../shared/access/verify-token.ts';
import { resourceOf } from '../../shared/contract/api-stage.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { faultLogged, tokenRefused } from '../../shared/contract/log-lines.ts';
import { routes } from '../../shared/contract/routes.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { addMetric, writeMetrics } from '../../shared/lambda/emit-metrics.ts';
import { processEnvironment, readSettings } from '../../shared/lambda/environment.ts';
import { logFault, logInfo } from '../../shared/lambda/logger.ts';
import { primeWith } from '../../shared/lambda/prime.ts';
import type { Fault } from '../../shared/model/faults.ts';

// Kept between invocations: it holds the issuer's keys.
let recognise: ReturnType<typeof recogniser> | undefined;

const onFault = (fault: Fault) => logFault(faultLogged, fault, { operation: authorizer.name });

const header = (event: APIGatewayRequestAuthorizerEvent, wanted: string): string | undefined =>
  Object.entries(event.headers ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1];

// The caller is not told more than the gateway's own 401 says, which quotes the request id that finds this line.
function noteRefusal(requestId: string, reason: RefusalReason | 'no bearer token', origin: ClaimedOrigin = {}): void {
  logInfo(tokenRefused, { operation: authorizer.name, requestId, reason, ...origin });
  addMetric('CallersRefused', 1, reason);
}

/** Makes what reads of a good token whom it is of, and what they may do. */
function recogniser() {
  const { callerClaim, ...issuer } = readSettings(authorizer.reads, processEnvironment());
  const verify = tokenVerifier({ ...issuer, now: ambient.now, onFault });
  const recognise = async (token: string, requestId: string) => {
    const claims = await verify(token, (reason) => noteRefusal(requestId, reason, claimedOrigin(token)));
    return (
      claims && {
        scopes: scopesOf(claims),
        principal: principalOf(claims, callerClaim),
        caller: callerOf(claims, callerClaim),
        client: clientOf(claims, callerClaim),
        callerClaim,
      }
    );
  };
  return Object.assign(recognise, { readKeys: verify.readKeys });
}

primeWith(() => {
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
    // Lambda counts a refused token as an error too: by this line the alarm tells our faults.
    logFault(faultLogged, error, { operation: authorizer.name });
    throw error;
  }
}

/**
 * Lambda authorizer of type REQUEST. API Gateway keeps its answer by token, method and resource path, so the answer
 * speaks of that one route only.
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
  // API Gateway answers 401 for exactly this message.
  if (recognised === undefined) throw new Error('Unauthorized');
  const { httpMethod, resource } = event;
  const route = routes.find(
    ({ methods, path }) => methods.some((method) => method === httpMethod) && resourceOf(path) === resource,
  );
  const decision = decide({ route, ...recognised, methodArn: event.methodArn });
  if (decision.policyDocument.Statement.some(({ Effect }) => Effect === 'Deny'))
    addMetric('CallersRefused', 1, 'scope');
  return decision;
}
