import { memberOf, parseNetwork } from '../../shared/domain/network.ts';
import type { Properties } from './template.ts';

/**
 * Reports each `fetch` request of this process in the form in which a web ACL inspects it.
 * @param onRequest called for each request
 * @returns a function that stops the reports
 */
export function watchRequests(baseUrl: string, onRequest: (request: SeenRequest) => void): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.startsWith(baseUrl)) {
      const { pathname, search } = new URL(request.url);
      // Node.js adds its own User-Agent.
      const headers = { 'user-agent': 'node', ...Object.fromEntries(request.headers) };
      const body = await request.clone().text();
      onRequest({ method: request.method, path: pathname, query: search.slice(1), headers, body });
    }
    return fetch(input, init);
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

/** A request in the form that AWS WAF inspects. */
export interface SeenRequest {
  readonly method: string;
  /** The path with the stage. */
  readonly path: string;
  /** The query string, without the question mark. */
  readonly query?: string;
  /** The header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly address?: string;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

// The patterns are modelled on the AWS WAF Developer Guide. Where the guide gives no pattern, the pattern here matches
// more requests than the one on AWS.
const rfi = /(?:https?|ftps?|file):\/\/(?:\d{1,3}\.){3}\d{1,3}/i;
const ssrf = /169\.254\.169\.254|169\.254\.170\.2|metadata\.google|latest\/meta-data/i;
const lfi = /\.\.[/\\]|\/etc\/passwd|\/proc\/self/i;
const extension = /\.(?:log|ini|conf|config|bak|backup|old|sql|key|pem)\b/i;
const xss = /<\s*\/?\s*[a-z!]|javascript:|\bon\w+\s*=/i;
const java = /java\.lang\.|getRuntime\(\)|\.exec\(|class\.module\.classloader/i;
const log4j = /\$\{.{0,20}(?:jndi|lower|upper|env|:-)/i;
const react = /__proto__.*then|constructor.*prototype.*then|\$@\d/i;

type Test = (request: SeenRequest) => boolean;

const places: Readonly<Record<string, (request: SeenRequest) => string>> = {
  BODY: ({ body = '' }) => body,
  COOKIE: ({ headers }) => headers.cookie ?? '',
  HEADER: ({ headers }) => JSON.stringify(headers),
  QUERYARGUMENTS: ({ query = '' }) => decoded(query),
  QUERYSTRING: ({ query = '' }) => decoded(query),
  URIPATH: ({ path }) => decoded(path),
};

const inEach = (rule: string, pattern: RegExp, names: readonly string[]): [string, Test][] =>
  names.map((name) => [`${rule}_${name}`, (request) => pattern.test(places[name]?.(request) ?? '')]);

const all = ['BODY', 'COOKIE', 'QUERYARGUMENTS', 'URIPATH'];
const longer =
  (name: string, most: number): Test =>
  (request) =>
    Buffer.byteLength(places[name]?.(request) ?? '') > most;

/** The documented rules of each managed rule group of AWS. */
const managedRules: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  AWSManagedRulesAmazonIpReputationList: {},
  AWSManagedRulesCommonRuleSet: {
    NoUserAgent_HEADER: ({ headers }) => !headers['user-agent'],
    UserAgent_BadBots_HEADER: ({ headers }) =>
      /nessus|nmap|nikto|sqlmap|masscan|zgrab/i.test(headers['user-agent'] ?? ''),
    SizeRestrictions_QUERYSTRING: ({ query = '' }) => query.length > 2048,
    SizeRestrictions_Cookie_HEADER: longer('COOKIE', 10_240),
    SizeRestrictions_BODY: longer('BODY', 8192),
    SizeRestrictions_URIPATH: ({ path }) => path.length > 1024,
    ...Object.fromEntries([
      ...inEach('EC2MetaDataSSRF', ssrf, all),
      ...inEach('GenericLFI', lfi, ['QUERYARGUMENTS', 'URIPATH', 'BODY']),
      ...inEach('RestrictedExtensions', extension, ['URIPATH', 'QUERYARGUMENTS']),
      ...inEach('GenericRFI', rfi, ['QUERYARGUMENTS', 'BODY', 'URIPATH']),
      ...inEach('CrossSiteScripting', xss, all),
    ]),
  },
  AWSManagedRulesKnownBadInputsRuleSet: {
    Host_localhost_HEADER: ({ headers }) => /localhost/i.test(headers.host ?? ''),
    PROPFIND_METHOD: ({ method }) => method === 'PROPFIND',
    ...Object.fromEntries([
      ...inEach('JavaDeserializationRCE', java, ['HEADER', 'BODY', 'URIPATH', 'QUERYSTRING']),
      ...inEach('Log4JRCE', log4j, ['HEADER', 'BODY', 'URIPATH', 'QUERYSTRING']),
      ...inEach('ExploitablePaths', /web-inf|\.git\/|\.env$|phpmyadmin/i, ['URIPATH']),
      ...inEach('ReactJSRCE', react, ['BODY']),
    ]),
  },
};

/** The names of all documented rules in one managed rule group. */
export const rulesOf = (group: string): string[] => Object.keys(managedRules[group] ?? {});

const fieldOf = (field: Properties, request: SeenRequest): string => {
  if (field.UriPath !== undefined) return request.path;
  if (field.Method !== undefined) return request.method;
  return request.headers[field.SingleHeader.Name] ?? '';
};

/**
 * Returns whether a web ACL statement matches a request.
 * @param sets the networks of the IP sets, by logical id
 */
function holds(statement: Properties, request: SeenRequest, sets: ReadonlyMap<string, readonly string[]>): boolean {
  const recur = (one: Properties): boolean => holds(one, request, sets);
  const [[kind = '', value] = []] = Object.entries(statement);
  if (kind === 'NotStatement') return !recur(value.Statement);
  if (kind === 'AndStatement') return value.Statements.every(recur);
  if (kind === 'OrStatement') return value.Statements.some(recur);
  if (kind === 'RegexMatchStatement') return new RegExp(value.RegexString).test(fieldOf(value.FieldToMatch, request));
  if (kind === 'ByteMatchStatement') return fieldOf(value.FieldToMatch, request) === value.SearchString;
  if (kind === 'IPSetReferenceStatement') {
    const members = (sets.get(value.Arn['Fn::GetAtt'][0]) ?? []).flatMap((text) => parseNetwork(text) ?? []);
    return memberOf(members)(request.address ?? '');
  }
  throw new Error(`the AWS WAF model does not support ${kind}`);
}

/** Returns the managed rules that would block a request. Rules that only count requests are not included. */
export function blockingRules(acl: Properties, request: SeenRequest): string[] {
  return acl.Rules.flatMap(({ Statement }: Properties) => {
    const group = Statement.ManagedRuleGroupStatement;
    if (group === undefined) return [];
    const counted = (group.RuleActionOverrides ?? [])
      .filter(({ ActionToUse }: Properties) => ActionToUse.Count !== undefined)
      .map(({ Name }: Properties) => Name);
    const rules = Object.entries(managedRules[group.Name] ?? {});
    return rules.filter(([name, test]) => !counted.includes(name) && test(request)).map(([name]) => name);
  });
}

/** Returns a function that applies the rate-based rules of a web ACL and returns the first that blocks a request. */
export function rateLimits(acl: Properties, sets: ReadonlyMap<string, readonly string[]> = new Map()) {
  const seen = new Map<string, number[]>();
  return (request: SeenRequest, atMs: number): string | undefined => {
    for (const { Name, Statement } of acl.Rules as Properties[]) {
      const rate = Statement.RateBasedStatement;
      if (rate === undefined) continue;
      if (rate.ScopeDownStatement !== undefined && !holds(rate.ScopeDownStatement, request, sets)) continue;
      const key = rate.AggregateKeyType === 'IP' ? request.address : request.headers.authorization;
      if (key === undefined) continue;
      const since = atMs - rate.EvaluationWindowSec * 1000;
      const times = seen.get(`${Name} ${key}`) ?? [];
      seen.set(`${Name} ${key}`, times);
      times.push(atMs);
      while (Number(times[0]) <= since) times.shift();
      if (times.length > rate.Limit) return Name;
    }
    return undefined;
  };
}
