import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';

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

/** Who calls: the client that the token was issued to. */
export const callerOf = (claims: Claims): string =>
  String(claims.client_id ?? claims.azp ?? claims.cid ?? claims.sub ?? '');

interface Question {
  readonly endpoint: Endpoint | undefined;
  readonly scopes: readonly string[];
  readonly caller: string;
  /** `arn:aws:execute-api:region:account:api/stage/METHOD/path` */
  readonly methodArn: string;
}

/** Allows the route when the token has one of its scopes; the refusal names them (`needs`), for the 403 answer. */
export function decide({ endpoint, scopes, caller, methodArn }: Question): APIGatewayAuthorizerResult {
  const needed: readonly string[] = endpoint?.scopes ?? [];
  const isAllowed = needed.some((scope) => scopes.includes(scope));
  const [api, stage] = methodArn.split('/');
  const route = endpoint ? `${endpoint.method}${endpoint.path.replace(/\{[^}]+\}/g, '*')}` : '*';
  return {
    principalId: caller,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Action: 'execute-api:Invoke', Effect: isAllowed ? 'Allow' : 'Deny', Resource: `${api}/${stage}/${route}` },
      ],
    },
    context: { caller, needs: needed.join(' or ') },
  };
}
