import { expectError, expectSuccess, type Input } from '../client.ts';
import { type Check, ensure, equal, hasFields, requirementsOf } from '../requirement.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

const is =
  (status: number, method: string, path: string, input: Pick<Input, 'query' | 'body'> = {}): Check =>
  async ({ call }) =>
    void expectError(await call(method, path, input), status);

export const errors = [
  ...requirementsOf('7 Errors', {
    'POST /v1/subscriptions returns 400 for an invalid request': is(400, 'POST', '/v1/subscriptions', {
      query: { topic: '' },
    }),
    'DELETE /v1/subscriptions/{uuid} returns 400 for an invalid ID': is(400, 'DELETE', '/v1/subscriptions/x'),
    'DELETE /v1/subscriptions/{uuid} returns 404 for an unknown subscription': is(
      404,
      'DELETE',
      `/v1/subscriptions/${unknownId}`,
    ),
    'GET /v1/subscriptions/confirm returns 400 for an invalid token': is(400, 'GET', '/v1/subscriptions/confirm', {
      query: { token: 'unknown' },
    }),
    'POST /v1/topics returns 400 for an invalid request': is(400, 'POST', '/v1/topics', { query: { name: ' ' } }),
    'DELETE /v1/topics/{uuid} returns 400 for an invalid ID': is(400, 'DELETE', '/v1/topics/x'),
    'DELETE /v1/topics/{uuid} returns 404 for an unknown topic': is(404, 'DELETE', `/v1/topics/${unknownId}`),
    'POST /v1/topics/{uuid}/publish returns 400 for an empty body': async ({ newTopic, call }) => {
      expectError(await call('POST', `/v1/topics/${(await newTopic()).uuid}/publish`, { body: '' }), 400);
    },
    'GET /v1/persons returns 200 and [] if no person matches': async ({ call }) => {
      const query = { lastName: 'No Person Has This Conformance Name' };
      equal('the result', expectSuccess(await call('GET', '/v1/persons', { query })), []);
    },
  }),
  ...requirementsOf('client guide: pages', {
    'the web pages for citizens require no token and are in HTML': async ({ call }) => {
      for (const path of ['/v1/confirm', '/v1/unsubscribe', '/v1/never-ask']) {
        const { headers, status } = await call('GET', path, { token: null });
        equal(
          `${path} without the parameters of its email link`,
          [status, headers.get('content-type')],
          [400, 'text/html; charset=utf-8'],
        );
      }
    },
  }),
  ...requirementsOf('client guide: errors', {
    'every operation returns 404 for an unknown UIN': async ({ call }) => {
      const path = '/v1/persons/nobody';
      const document = { doctype: 'birth', format: 'pdf' };
      expectError(await call('GET', path, { query: { attributeNames: 'status' } }), 404);
      expectError(await call('POST', `${path}/match`, { body: { firstName: 'Ada' } }), 404);
      expectError(await call('POST', `${path}/verify`, { body: [] }), 404);
      expectError(await call('GET', `${path}/document`, { query: document }), 404);
    },
    'an unknown path returns 404 and an Error object': is(404, 'GET', '/v1/topics/a/b/c'),
    'an unsupported method returns 404 and an Error object': is(404, 'PUT', '/v1/topics'),
    'a request with a body that is too large returns 413': is(413, 'POST', '/v1/uin', {
      body: { firstName: 'x'.repeat(70_000) },
    }),
    'a request with a body that is not JSON returns 400': is(400, 'POST', '/v1/uin', { body: '{"firstName": Ada}' }),
    'a request whose body has a duplicate key returns 400': is(400, 'POST', '/v1/uin', {
      body: '{"status":"a","status":"b"}',
    }),
    'a request whose body is not valid UTF-8 returns 400': is(400, 'POST', '/v1/uin', {
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    }),
    'a request with an unknown query parameter returns 400': is(400, 'GET', '/v1/topics', { query: { colour: 'red' } }),
    'a request whose query string is not valid UTF-8 returns 400': is(400, 'GET', '/v1/persons?lastName=Jos%E9'),
    'a request with a repeated query parameter returns 400': is(400, 'POST', '/v1/topics?name=a&name=b'),
    'error messages never contain attribute values': async ({ call }) => {
      const body = { dateOfBirth: '31/12/1987', gender: 'Q-marker' };
      const { text } = await call('POST', '/v1/uin', { body });
      ensure(!text.includes('1987') && !text.includes('Q-marker'), `the message contains one: ${text}`);
    },
    'a response without a body has no Content-Type': async ({ newTopic, call }) => {
      const response = await call('DELETE', `/v1/topics/${(await newTopic()).uuid}`);
      equal('Content-Type', response.headers.get('content-type'), null);
    },
  }),
  ...requirementsOf('9 Versioning', {
    'all paths start with /v1, and other paths are not served': async ({ baseUrl, token }) => {
      const headers = { authorization: `Bearer ${await token()}` };
      const response = await fetch(`${baseUrl}/topics`, { headers });
      ensure([403, 404].includes(response.status), `GET /topics returned ${response.status}`);
    },
    'no other version than /v1 is served': async ({ baseUrl, token }) => {
      const headers = { authorization: `Bearer ${await token()}` };
      const response = await fetch(`${baseUrl}/v2/topics`, { headers });
      ensure([403, 404].includes(response.status), `GET /v2/topics returned ${response.status}`);
    },
    'notification.yaml describes version 1.2.0 of the notification interface': async ({ call }) => {
      const { status, text } = await call('GET', '/v1/notification.yaml', { token: null });
      equal('status', status, 200);
      ensure(/^\s*version: ["']?1\.2\.0["']?\s*$/m.test(text), 'notification.yaml does not contain version 1.2.0');
      for (const path of ['/v1/topics', '/v1/subscriptions', '/v1/subscriptions/confirm']) {
        ensure(text.includes(path), `the file does not contain ${path}`);
      }
    },
  }),
  ...requirementsOf('client guide: description', {
    'openapi.json describes every operation that the interface has at this base URL': async (deployment) => {
      const { call, baseUrl, isLocal } = deployment;
      const { json } = await call('GET', '/v1/openapi.json', { token: null });
      hasFields('the file', json, { openapi: 'string', paths: 'object' });
      for (const path of ['/v1/uin', '/v1/persons/{uin}/document', '/v1/topics/{uuid}/publish']) {
        ensure(json.paths[path] !== undefined, `the file does not contain ${path}`);
      }
      if (!isLocal) equal('servers', json.servers, [{ url: baseUrl }]);
    },
    'identity.yaml describes the operations on persons': async ({ call }) => {
      const { status, text } = await call('GET', '/v1/identity.yaml', { token: null });
      equal('status', status, 200);
      ensure(text.includes('/v1/persons/{uin}/match'), 'identity.yaml does not contain /v1/persons/{uin}/match');
    },
    'the reference page describes every operation, and its policy allows no scripts': async ({ call }) => {
      const { json } = await call('GET', '/v1/openapi.json', { token: null });
      const { status, text, headers } = await call('GET', '/v1/reference', { token: null });
      equal('status', status, 200);
      for (const path of Object.keys(json.paths)) ensure(text.includes(path), `the page does not contain ${path}`);
      ensure(/default-src 'none'/.test(headers.get('content-security-policy') ?? ''), 'the policy allows scripts');
    },
    'an unchanged description returns 304': async ({ call }) => {
      const etag = (await call('GET', '/v1/openapi.json', { token: null })).headers.get('etag') ?? '';
      const headers = { 'if-none-match': etag };
      equal('status', (await call('GET', '/v1/openapi.json', { token: null, headers })).status, 304);
    },
    'GET /v1/health returns {"status":"ok"} without a token': async ({ call }) => {
      equal('the result', expectSuccess(await call('GET', '/v1/health', { token: null })), { status: 'ok' });
    },
  }),
];
