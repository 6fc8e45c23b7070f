import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { resourceOf } from '../contract/api-stage.ts';
import type { Route } from '../contract/routes.ts';
import { adminScope } from '../contract/scopes.ts';

export interface Claims {
  readonly aud?: string | string[] | undefined;
  readonly sub?: string | undefined;
  readonly [name: string]: unknown;
}

/** The token of `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];

/** Scopes from `scope` (space separated) or `scp` (text or array), without the `resource-server/` that Cognito writes. */
export function scopesOf(claims: Claims): string[] {
  const given = [claims.scope, claims.scp].flat();
  const words = given.flatMap((value) => (typeof value === 'string' ? value.split(' ') : []));
  return words.filter((word) => word !== '').map((word) => word.slice(word.lastIndexOf('/') + 1));
}

function textOf(claims: Claims, name: string): string {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * What tells a caller from all others: the issuer, and the value of the one claim that the deployment names. Empty for a
 * token without it: another claim's value could be somebody else's name.
 */
export function callerOf(claims: Claims, claim: string): string {
  const value = textOf(claims, claim);
  return value === '' ? '' : `${claims.iss} ${value}`;
}

/**
 * Whose limits a request counts against: the caller's, or else the subject's. Marked as such, because a subject may have
 * the name of a caller; empty for a token that has neither.
 */
export function clientOf(claims: Claims, claim: string): string {
  const subject = textOf(claims, 'sub');
  return callerOf(claims, claim) || (subject === '' ? '' : `sub ${claims.iss} ${subject}`);
}

/** Who calls, as the log names them: by that claim, or else by the token's subject. */
export const principalOf = (claims: Claims, claim: string): string => textOf(claims, claim) || textOf(claims, 'sub');

interface Question {
  readonly route: Pick<Route, 'path' | 'scopes'> | undefined;
  readonly scopes: readonly string[];
  readonly principal: string;
  readonly caller: string;
  readonly client: string;
  /** Which claim `caller` is from; functions say so where it is missing. */
  readonly callerClaim: string;
  /** `arn:aws:execute-api:region:account:api/stage/METHOD/path` */
  readonly methodArn: string;
}

/** What the gateway's 403 says (RFC 6750 section 3.1): the scopes, and the challenge that names them. */
const refusalOf = (needed: readonly string[]) => ({
  needs: needed.join(' or '),
  challenge: `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`,
});

/** Allows the route when the token has one of its scopes; the refusal names them, for the 403 answer. */
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
      ...refusalOf(needed),
    },
  };
}
