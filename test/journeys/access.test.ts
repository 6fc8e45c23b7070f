import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import type { Scope } from '../../shared/contract/scopes.ts';
import { readResponse } from '../harness/call.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { allScopes } from '../harness/world.ts';

const { call, sign, token, outputs } = await useWorld();

const without = (endpoint: Endpoint): Scope[] => allScopes.filter((name) => !endpoint.scopes.includes(name));
const guarded = endpoints.filter(({ scopes }) => scopes.length > 0);
const operations = guarded.map((endpoint): [string, Endpoint] => [endpoint.operation, endpoint]);

// `test/access` tests every kind of invalid token.
test.each<[name: string, authorization: string | undefined]>([
  ['no token', undefined],
  ['an empty header', ''],
  ['no token after Bearer', 'Bearer '],
  ['another scheme', `Basic ${btoa('me:secret')}`],
  ['a token without a scheme', token],
  ['garbage', 'Bearer garbage'],
  ['a token with a bad signature', `Bearer ${token}A`],
])('every operation rejects %s with 401', async (_name, authorization) => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  for (const endpoint of guarded) {
    const answer = await call(endpoint, { token: null, headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const message =
      `send a valid access token: Authorization: Bearer <token>, from the issuer "${outputs.issuer}", for the audience ` +
      `"identity-registry"; this one is missing, has expired or is not valid here; if you sent a token, the log contains the reason for request ` +
      answer.headers.get('x-amzn-requestid');
    expect(answer.error).toEqual({ code: 1401, message });
  }
});

describe.each(operations)('%s', (_operation, endpoint) => {
  test.each<[name: string, claims: (endpoint: Endpoint) => Record<string, unknown>]>([
    ['no scope', () => ({ scope: null })],
    ['every other scope', (one) => ({ scope: without(one).join(' ') })],
    ['a longer scope name', (one) => ({ scope: one.scopes.map((name) => `${name}s`).join(' ') })],
    ['a scope in capitals', (one) => ({ scope: one.scopes.join(' ').toUpperCase() })],
  ])('for a token with %s, every operation returns 403 and names the missing scope', async (_name, claims) => {
    const answer = await call(endpoint, { token: await sign(claims(endpoint)) });
    expect(answer.status).toBe(403);
    expect(answer.error.code).toBe(1403);
    expect(answer.error.message).toContain('insufficient_scope');
    const challenge = `Bearer error="insufficient_scope", scope="${endpoint.scopes.join(' ')}"`;
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    for (const name of endpoint.scopes) expect(answer.error.message).toContain(name);
  });

  test('every operation accepts the scope in each of the forms that issuers use', async () => {
    for (const name of endpoint.scopes) {
      const forms = [
        { scope: name },
        { scope: `openid ${name}` },
        { scope: `identity-registry/${name}` },
        { scope: `https://api.example.org/${name}` },
        { scope: null, scp: [name, 'openid'] },
        { scope: null, scp: name },
        { scope: null, scp: [`identity-registry/${name}`] },
        { scope: name, aud: null, client_id: 'identity-registry' },
        { scope: name, aud: ['another-api', 'identity-registry'] },
      ];
      for (const claims of forms) {
        // The request has no parameters, so an authorised client receives a list or an error about missing parameters.
        const { status } = await call(endpoint, { token: await sign(claims) });
        expect([200, 400, 404], JSON.stringify(claims)).toContain(status);
      }
    }
  });
});

test('every operation accepts the Bearer scheme in upper or lower case', async () => {
  for (const scheme of ['bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${token}` };
    const statuses = await Promise.all(
      guarded.map(async (endpoint) => (await call(endpoint, { token: null, headers })).status),
    );
    expect(statuses.filter((status) => status === 401)).toEqual([]);
  }
});

test.each(['GET /v1', 'PUT /v1/topics', 'OPTIONS /v1/topics', 'GET /v1/topics/a/b/c'])(
  'an unknown route returns 404 to every caller: %s',
  async (route) => {
    const [method = '', path = ''] = route.split(' ');
    for (const headers of [{}, { authorization: 'Bearer garbage' }, { authorization: `Bearer ${token}` }]) {
      const answer = await readResponse(await fetch(outputs.baseUrl + path, { method, headers }), route);
      expect([answer.status, answer.error.code]).toEqual([404, 1404]);
    }
  },
);
