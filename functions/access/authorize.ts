import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { bearerToken, callerOf, decide, scopesOf } from '../../shared/access/decide.ts';
import { tokenVerifier } from '../../shared/access/verify-token.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { processEnvironment, readSettings } from '../../shared/lambda/environment.ts';
import { logFault } from '../../shared/lambda/log.ts';
import type { Fault } from '../../shared/model/faults.ts';

// Kept between invocations: it holds the issuer's keys.
let verify: ReturnType<typeof tokenVerifier> | undefined;

const onFault = (fault: Fault) => logFault(faultLogged, fault, { operation: authorizer.name });

const header = (event: APIGatewayRequestAuthorizerEvent, wanted: string): string | undefined =>
  Object.entries(event.headers ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1];

async function readClaims(token: string | undefined) {
  try {
    const { now } = ambient;
    verify ??= tokenVerifier({ ...readSettings(authorizer.reads, processEnvironment()), now, onFault });
    return token === undefined ? undefined : await verify(token);
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
  const claims = await readClaims(bearerToken(header(event, 'authorization')));
  // API Gateway answers 401 for exactly this message.
  if (claims === undefined) throw new Error('Unauthorized');
  const endpoint = endpoints.find(({ method, path }) => method === event.httpMethod && path === event.resource);
  return decide({ endpoint, scopes: scopesOf(claims), caller: callerOf(claims), methodArn: event.methodArn });
}
