import { refused, succeeded } from '../client.ts';
import { type Check, hasFields, holds, same, sentencesOf } from '../sentence.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

const is =
  (
    status: number,
    method: string,
    path: string,
    input: { query?: Record<string, string>; body?: unknown } = {},
  ): Check =>
  async ({ call }) =>
    void refused(await call(method, path, input), status);

export const errors = [
  ...sentencesOf('7 Errors', {
    'POST /v1/subscriptions: 400 for a bad request': is(400, 'POST', '/v1/subscriptions', { query: { topic: '' } }),
    'DELETE /v1/subscriptions/{uuid}: 400 for what is no ID': is(400, 'DELETE', '/v1/subscriptions/x'),
    'DELETE /v1/subscriptions/{uuid}: 404, subscription not found': is(404, 'DELETE', `/v1/subscriptions/${nobody}`),
    'GET /v1/subscriptions/confirm: 400, invalid token': is(400, 'GET', '/v1/subscriptions/confirm', {
      query: { token: 'unknown' },
    }),
    'POST /v1/topics: 400 for a bad request': is(400, 'POST', '/v1/topics', { query: { name: ' ' } }),
    'DELETE /v1/topics/{uuid}: 400 for what is no ID': is(400, 'DELETE', '/v1/topics/x'),
    'DELETE /v1/topics/{uuid}: 404, topic not found': is(404, 'DELETE', `/v1/topics/${nobody}`),
    'POST /v1/topics/{uuid}/publish: 400 for an empty body': async ({ newTopic, call }) => {
      refused(await call('POST', `/v1/topics/${(await newTopic()).uuid}/publish`, { body: '' }), 400);
    },
    'GET /v1/persons: 200 and [] when nobody matches': async ({ call }) => {
      const query = { lastName: 'Nobody Is Called Conformance Like This' };
      same('the answer', succeeded(await call('GET', '/v1/persons', { query })), []);
    },
  }),
  ...sentencesOf('our page: pages', {
    'the pages for people answer pages, to everybody': async ({ call }) => {
      for (const path of ['/v1/confirm', '/v1/unsubscribe', '/v1/never-ask']) {
        const { headers, status } = await call('GET', path, { token: null });
        same(
          `${path}, without what its mail has`,
          [status, headers.get('content-type')],
          [400, 'text/html; charset=utf-8'],
        );
      }
    },
  }),
  ...sentencesOf('our page: errors', {
    'an unknown UIN is 404, wherever it stands': async ({ call }) => {
      const path = '/v1/persons/nobody';
      const document = { doctype: 'birth', format: 'pdf' };
      refused(await call('GET', path, { query: { attributeNames: 'status' } }), 404);
      refused(await call('POST', `${path}/match`, { body: { firstName: 'Ada' } }), 404);
      refused(await call('POST', `${path}/verify`, { body: [] }), 404);
      refused(await call('GET', `${path}/document`, { query: document }), 404);
    },
    'an unknown address is 404 with an Error object': is(404, 'GET', '/v1/topics/a/b/c'),
    'so is a method that an address does not have': is(404, 'PUT', '/v1/topics'),
    'a body that is too large is 413': is(413, 'POST', '/v1/uin', { body: { firstName: 'x'.repeat(70_000) } }),
    'a body that is no JSON is 400': is(400, 'POST', '/v1/uin', { body: '{"firstName": Ada}' }),
    'a body that gives a key twice is 400': is(400, 'POST', '/v1/uin', { body: '{"status":"a","status":"b"}' }),
    'a body that is not UTF-8 is 400': is(400, 'POST', '/v1/uin', {
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    }),
    'an unknown query parameter is 400': is(400, 'GET', '/v1/topics', { query: { colour: 'red' } }),
    'a query that is not UTF-8 is 400': is(400, 'GET', '/v1/persons?lastName=Jos%E9'),
    'a parameter given twice is 400': is(400, 'POST', '/v1/topics?name=a&name=b'),
    'no message repeats the value of an attribute': async ({ call }) => {
      const body = { dateOfBirth: '31/12/1987', gender: 'Q-marker' };
      const { text } = await call('POST', '/v1/uin', { body });
      holds(!text.includes('1987') && !text.includes('Q-marker'), `it does: ${text}`);
    },
    'an answer without a body has no Content-Type': async ({ newTopic, call }) => {
      const answer = await call('DELETE', `/v1/topics/${(await newTopic()).uuid}`);
      same('Content-Type', answer.headers.get('content-type'), null);
    },
  }),
  ...sentencesOf('9 Versioning', {
    'all paths carry the prefix /v1: without it nothing is served': async ({ baseUrl, token }) => {
      const headers = { authorization: `Bearer ${await token()}` };
      const response = await fetch(`${baseUrl}/topics`, { headers });
      holds([403, 404].includes(response.status), `GET /topics answered ${response.status}`);
    },
    'nor is there another version': async ({ baseUrl, token }) => {
      const headers = { authorization: `Bearer ${await token()}` };
      const response = await fetch(`${baseUrl}/v2/topics`, { headers });
      holds([403, 404].includes(response.status), `GET /v2/topics answered ${response.status}`);
    },
    'notification.yaml describes the notification interface, version 1.2.0': async ({ call }) => {
      const { status, text } = await call('GET', '/v1/notification.yaml', { token: null });
      same('status', status, 200);
      holds(/^\s*version: ["']?1\.2\.0["']?\s*$/m.test(text), 'it does not say version 1.2.0');
      for (const path of ['/v1/topics', '/v1/subscriptions', '/v1/subscriptions/confirm']) {
        holds(text.includes(path), `it does not have ${path}`);
      }
    },
  }),
  ...sentencesOf('our page: description', {
    'openapi.json describes every operation of the interface, at this address': async ({ call, baseUrl, isLocal }) => {
      const { json } = await call('GET', '/v1/openapi.json', { token: null });
      hasFields('the file', json, { openapi: 'string', paths: 'object' });
      for (const path of ['/v1/uin', '/v1/persons/{uin}/document', '/v1/topics/{uuid}/publish']) {
        holds(json.paths[path] !== undefined, `it does not have ${path}`);
      }
      if (!isLocal) same('servers', json.servers, [{ url: baseUrl }]);
    },
    'identity.yaml describes the persons': async ({ call }) => {
      const { status, text } = await call('GET', '/v1/identity.yaml', { token: null });
      same('status', status, 200);
      holds(text.includes('/v1/persons/{uin}/match'), 'it does not have match');
    },
    'what has not changed is answered 304': async ({ call }) => {
      const etag = (await call('GET', '/v1/openapi.json', { token: null })).headers.get('etag') ?? '';
      const headers = { 'if-none-match': etag };
      same('status', (await call('GET', '/v1/openapi.json', { token: null, headers })).status, 304);
    },
    'health is {"status":"ok"}, for everybody': async ({ call }) => {
      same('the answer', succeeded(await call('GET', '/v1/health', { token: null })), { status: 'ok' });
    },
  }),
];
