import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { resourceOf } from '../contract/api-stage.ts';
import type { Route } from '../contract/routes.ts';
import { adminScope } from '../contract/scopes.ts';

export interface Claims {
  readonly aud?: string | string[] | undefined;
  readonly sub?: string | undefined;
  readonly [name: string]: unknown;
}

/** Returns the token from `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];

/**
 * Reads scopes from `scope` (space-separated) or `scp` (string or array), without Cognito's `resource-server/`. If `prefix`
 * is set, ignores scopes without it, because the issuer's other resource servers may define scopes with the same names.
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
 * Returns the caller's key: the issuer and the value of the configured claim. Returns an empty string if the token
 * lacks this claim, because the value of another claim could equal another caller's name.
 */
export function callerOf(claims: Claims, claim: string): string {
  const value = textOf(claims, claim);
  return value === '' ? '' : `${claims.iss} ${value}`;
}

/**
 * Returns the key for rate limits and ownership: the caller or, if the token lacks the claim, the token's subject. The
 * prefix `sub` separates subjects from callers with the same name. Returns an empty string if the token has neither a
 * caller nor a subject.
 */
export function clientOf(claims: Claims, claim: string): string {
  const subject = textOf(claims, 'sub');
  return callerOf(claims, claim) || (subject === '' ? '' : `sub ${claims.iss} ${subject}`);
}

/** Returns the name of the caller for logs: the value of the claim or, without the claim, the token's subject. */
export const principalOf = (claims: Claims, claim: string): string => textOf(claims, claim) || textOf(claims, 'sub');

interface Question {
  readonly route: Pick<Route, 'path' | 'scopes'> | undefined;
  readonly scopes: readonly string[];
  readonly principal: string;
  readonly caller: string;
  readonly client: string;
  /** The claim from which `caller` is read. If a token lacks this claim, the error message names the claim. */
  readonly callerClaim: string;
  /** `arn:aws:execute-api:region:account:api/stage/METHOD/path` */
  readonly methodArn: string;
}

/** Returns the context for the 403 response (RFC 6750 section 3.1): the required scopes and the challenge. */
const clientErrorOf = (needed: readonly string[]) => ({
  needs: needed.join(' or '),
  challenge: `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`,
});

/** Allows the route if the token has a required scope. Otherwise, denies the route with a context that names the scopes. */
export function decide({ route, scopes, methodArn, ...who }: Question): APIGatewayAuthorizerResult {
  const needed: readonly string[] = route?.scopes ?? [];
  const isAllowed = needed.some((scope) => scopes.includes(scope));
  const [api, stage, method] = methodArn.split('/');
  const path = route ? `${method}${resourceOf(route.path).replace(/\{[^}]+\}/g, '*')}` : '*';
  return {
    principalId: who.principal,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Action: 'execute-api:Invoke', Effect: isAllowed ? 'Allow' : 'Deny', Resource: `${api}/${stage}/${path}` },
      ],
    },
    context: {
      caller: who.caller,
      client: who.client,
      callerClaim: who.callerClaim,
      isAdmin: scopes.includes(adminScope),
      ...clientErrorOf(needed),
    },
  };
}
