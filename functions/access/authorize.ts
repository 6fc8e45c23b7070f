import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { bearerToken, callerOf, decide, scopesOf } from '../../shared/access/decide.ts';
import { tokenVerifier } from '../../shared/access/verify-token.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { processEnvironment, readSettings } from '../../shared/lambda/environment.ts';

// Kept between invocations: it holds the issuer's keys.
let verify: ReturnType<typeof tokenVerifier> | undefined;

/**
 * Lambda authorizer of type REQUEST. API Gateway keeps its answer by token, method and resource path, so the answer
 * speaks of that one route only.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  verify ??= tokenVerifier(readSettings(authorizer.reads, processEnvironment()));
  const token = bearerToken(event.headers?.Authorization ?? event.headers?.authorization);
  const claims = token === undefined ? undefined : await verify(token);
  // API Gateway answers 401 for exactly this message.
  if (claims === undefined) throw new Error('Unauthorized');
  const endpoint = endpoints.find(({ method, path }) => method === event.httpMethod && path === event.resource);
  return decide({ endpoint, scopes: scopesOf(claims), caller: callerOf(claims), methodArn: event.methodArn });
}
