import { apiStage } from '../../../shared/contract/api-stage.ts';
import { type Endpoint, methodsOf } from '../../../shared/contract/endpoint.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';

/** A rate limit per client. `scope` selects the requests that count toward the limit. */
export interface RateRule {
  readonly name: string;
  /** Whether a client is identified by its address or by the `Authorization` header. */
  readonly by: 'address' | 'token';
  readonly perMinute: number;
  /** Whether clients in trusted networks are exempt from the limit. */
  readonly exemptsTrusted: boolean;
  readonly scope: Scope;
}

/** Selects the requests that count toward a limit, by path, by method or by the `Authorization` header. */
export type Scope =
  | { readonly of: 'all' }
  | { readonly of: 'path'; readonly isNot: string }
  | { readonly of: 'token'; readonly paths: string; readonly isNot: string }
  | { readonly of: 'methods'; readonly paths: Readonly<Record<string, string>> };

const firstPart = ({ path }: Endpoint): string => path.split('/')[2] ?? '';
const behindTokens = [...new Set(endpoints.filter(({ scopes }) => scopes.length > 0).map(firstPart))];

/** Matches the paths that require a token, with or without a base path before the stage. */
const tokenPaths = `/${apiStage}/(?:${behindTokens.join('|')})(?:/|$)`;

// The only token format that the authorizer accepts (RFC 7519, RFC 6750 section 2.1).
const signedToken = String.raw`^[Bb]earer +[\w-]+\.[\w-]+\.[\w-]+$`;

const patternOf = ({ path }: Endpoint): string =>
  `${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', String.raw`\.`)}$`;

const costly = endpoints.filter((endpoint) => 'isCostly' in endpoint);
const costlyPaths = Object.fromEntries(
  [
    ...Map.groupBy(
      costly.flatMap((one) => methodsOf(one).map((method) => ({ method, pattern: patternOf(one) }))),
      ({ method }) => method,
    ),
  ].map(([method, routes]) => [method, routes.map(({ pattern }) => pattern).join('|')]),
);

/**
 * Limits on the requests of each client per minute. AWS WAF counts requests only approximately, and starts blocking a
 * few seconds after a client exceeds the limit. The throttling limits of the stage apply to all clients together.
 */
export const rateRules: readonly RateRule[] = [
  { name: 'anybody', by: 'address', perMinute: 6000, exemptsTrusted: true, scope: { of: 'all' } },
  // The limit `withoutToken` applies to pages, keys, API descriptions and unknown paths. Mail scanners often open many
  // pages from one address.
  {
    name: 'withoutToken',
    by: 'address',
    perMinute: 600,
    exemptsTrusted: true,
    scope: { of: 'path', isNot: tokenPaths },
  },
  {
    name: 'notSigned',
    by: 'address',
    perMinute: 300,
    exemptsTrusted: true,
    scope: { of: 'token', paths: tokenPaths, isNot: signedToken },
  },
  // The limit `costly` prevents a single caller from using up an expensive operation's limit of 50 requests per second.
  { name: 'costly', by: 'token', perMinute: 900, exemptsTrusted: false, scope: { of: 'methods', paths: costlyPaths } },
];
