import { apiStage } from '../../../shared/contract/api-stage.ts';
import { type Endpoint, methodsOf } from '../../../shared/contract/endpoint.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';

/** A limit by client. Which requests count towards it is told by what they must match and must not. */
export interface RateRule {
  readonly name: string;
  /** Whose requests are counted together: `address`, or the value of the header `Authorization`. */
  readonly by: 'address' | 'token';
  readonly perMinute: number;
  /** Whether the trusted networks are left out. */
  readonly isForStrangers: boolean;
  readonly scope: Scope;
}

/** Patterns of the path and of the header `Authorization`, of `token` both; `methods` by each of which one pattern of the path counts. */
export type Scope =
  | { readonly of: 'all' }
  | { readonly of: 'path'; readonly isNot: string }
  | { readonly of: 'token'; readonly paths: string; readonly isNot: string }
  | { readonly of: 'methods'; readonly paths: Readonly<Record<string, string>> };

const firstPart = ({ path }: Endpoint): string => path.split('/')[2] ?? '';
const behindTokens = [...new Set(endpoints.filter(({ scopes }) => scopes.length > 0).map(firstPart))];

/** Of paths that take a token, whatever a domain puts before the stage. */
const tokenPaths = `/${apiStage}/(?:${behindTokens.join('|')})(?:/|$)`;

// Of no other kind can a token be that the authorizer takes (RFC 7519, RFC 6750 section 2.1).
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
 * What one client may ask for in a minute. AWS WAF counts about, and refuses some seconds late; the stage's throttles hold for
 * all together.
 */
export const rateRules: readonly RateRule[] = [
  { name: 'anybody', by: 'address', perMinute: 6000, isForStrangers: true, scope: { of: 'all' } },
  // Pages, keys and descriptions, and what there is not. Programs that read mail come to pages from few addresses, too.
  {
    name: 'withoutToken',
    by: 'address',
    perMinute: 600,
    isForStrangers: true,
    scope: { of: 'path', isNot: tokenPaths },
  },
  {
    name: 'notSigned',
    by: 'address',
    perMinute: 300,
    isForStrangers: true,
    scope: { of: 'token', paths: tokenPaths, isNot: signedToken },
  },
  // No caller takes what one costly operation has for all: 50 a second.
  { name: 'costly', by: 'token', perMinute: 900, isForStrangers: false, scope: { of: 'methods', paths: costlyPaths } },
];
