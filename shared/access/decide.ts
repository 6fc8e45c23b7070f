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
 * The key of the caller: the issuer and the value of the configured claim. Empty if the token lacks the claim, because
 * the value of another claim could be the name of another caller.
 */
export function callerOf(claims: Claims, claim: string): string {
  const value = textOf(claims, claim);
  return value === '' ? '' : `${claims.iss} ${value}`;
}

/**
 * The key for rate limits and ownership: the caller or, without the claim, the subject. The prefix keeps a subject
 * apart from a caller with the same name. Empty for a token with neither.
 */
export function clientOf(claims: Claims, claim: string): string {
  const subject = textOf(claims, 'sub');
  return callerOf(claims, claim) || (subject === '' ? '' : `sub ${claims.iss} ${subject}`);
}

/** The name of the caller in logs: the value of the claim or, without the claim, the subject of the token. */
export const principalOf = (claims: Claims, claim: string): string => textOf(claims, claim) || textOf(claims, 'sub');

interface Question {
  readonly route: Pick<Route, 'path' | 'scopes'> | undefined;
  readonly scopes: readonly string[];
  readonly principal: string;
  readonly caller: string;
  readonly client: string;
  /** The claim that `caller` is from. Functions name it in messages about tokens without the claim. */
  readonly callerClaim: string;
  /** `arn:aws:execute-api:region:account:api/stage/METHOD/path` */
  readonly methodArn: string;
}

/** The context for the 403 response (RFC 6750 section 3.1): the required scopes and the challenge. */
const clientErrorOf = (needed: readonly string[]) => ({
  needs: needed.join(' or '),
  challenge: `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`,
});

/** Allows the route if the token has one of its scopes. Otherwise the context names the scopes for the 403 response. */
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
