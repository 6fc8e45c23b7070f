import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { resourceOf } from '../contract/api-stage.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { adminScope } from '../contract/scopes.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Returns the token from `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];

/**
 * Returns the scopes in the claims `scope` (space-separated) and `scp` (string or array). Removes the prefix from each
 * scope, such as `resource-server/` in Cognito. If `prefix` is set, returns only scopes that have exactly this prefix,
 * because other scopes belong to other resource servers of the issuer.
 */
export function scopesOf(claims: Claims, prefix = ''): string[] {
  const given = [claims.scope, claims.scp].flat();
  const words = given.flatMap((value) => (typeof value === 'string' ? value.split(' ') : []));
  const isOurs = (word: string) => word !== '' && (prefix === '' || word.slice(0, word.lastIndexOf('/')) === prefix);
  return words.filter(isOurs).map((word) => word.slice(word.lastIndexOf('/') + 1));
}

function textOf(claims: Claims, name: string): string {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * Returns the identity of a token's owner:
 * - `caller`, the key that identifies the caller: the token's issuer and the value of the caller claim. Empty if the
 *   token lacks the caller claim. No other claim replaces the caller claim, because the value of another claim could
 *   equal the name of another caller.
 * - `client`, the client's key for rate limits and subscription ownership: the caller or, if the token lacks the caller
 *   claim, the token's subject. The prefix `sub` distinguishes a subject from a caller with the same name. Empty if the
 *   token has neither a caller nor a subject.
 * - `principal`, the name for logs: the value of the caller claim or, if the token lacks this claim, the subject.
 * @param callerClaim the name of the claim that identifies the caller. If a token lacks this claim, the error message
 * names the claim
 */
export function identityOf(claims: Claims, callerClaim: string) {
  const [name, subject] = [textOf(claims, callerClaim), textOf(claims, 'sub')];
  const caller = name && `${claims.iss} ${name}`;
  const client = caller || (subject && `sub ${claims.iss} ${subject}`);
  return { caller, client, principal: name || subject, callerClaim };
}

type Question = ReturnType<typeof identityOf> & {
  readonly route: Pick<Endpoint, 'path' | 'scopes'> | undefined;
  readonly scopes: readonly string[];
  /** `arn:aws:execute-api:region:account:api/stage/METHOD/path` */
  readonly methodArn: string;
};

/**
 * Returns a policy that allows the route only if the token has one of the required scopes. The context of the policy
 * names the required scopes.
 */
export function decide({ route, scopes, methodArn, principal, ...who }: Question): APIGatewayAuthorizerResult {
  const needed: readonly string[] = route?.scopes ?? [];
  const isAllowed = needed.some((scope) => scopes.includes(scope));
  const [api, stage, method] = methodArn.split('/');
  const path = route ? `${method}${resourceOf(route.path).replace(/\{[^}]+\}/g, '*')}` : '*';
  return {
    principalId: principal,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Action: 'execute-api:Invoke', Effect: isAllowed ? 'Allow' : 'Deny', Resource: `${api}/${stage}/${path}` },
      ],
    },
    context: {
      ...who,
      isAdmin: scopes.includes(adminScope),
      needs: needed.join(' or '),
      // The challenge of a response with status 403 (RFC 6750 section 3.1).
      challenge: `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`,
    },
  };
}
