import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startEmulators } from '../../../infra/local/aws/emulators/emulators.ts';
import { isNavigation, isSameOrigin } from '../../../infra/local/guard.ts';
import { startLocalStack } from '../../../infra/local/start.ts';
import { createAssembly } from './assembly.ts';

const own = '127.0.0.1:3000';
const link = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

it.each([
  ['a tool', {}],
  ["a script on the server's own page", { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  ["a POST from the server's own page", { origin: `http://${own}`, 'sec-fetch-site': 'same-origin' }],
])('isSameOrigin accepts %s', (_who, headers) => {
  expect(isSameOrigin({ host: own, ...headers }, own)).toBe(true);
});

it.each([
  ['a page of another site', { host: own, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a cross-site request without Origin', { host: own, 'sec-fetch-site': 'cross-site' }],
  ['a cross-site request without Sec-Fetch-Site', { host: own, origin: 'https://evil.example' }],
  ['a page with a null origin', { host: own, origin: 'null' }],
  ['a page on another local port', { host: own, origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-site' }],
  ['a foreign host name that resolves to this machine', { host: 'evil.example:3000', 'sec-fetch-site': 'same-origin' }],
  ['another host name of this machine', { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }],
  ['a request without Host', {}],
])('isSameOrigin rejects %s', (_who, headers) => {
  expect(isSameOrigin(headers, own)).toBe(false);
});

it('isNavigation accepts links from other sites but rejects all other cross-site requests', () => {
  const visit = { host: own, ...link, 'sec-fetch-site': 'cross-site' };
  expect(isNavigation(visit, own)).toBe(true);
  expect(isNavigation({ ...visit, 'sec-fetch-dest': 'iframe' }, own)).toBe(false);
  expect(isNavigation({ ...visit, 'sec-fetch-mode': 'no-cors' }, own)).toBe(false);
  expect(isNavigation({ ...visit, host: 'evil.example:3000' }, own)).toBe(false);
});

interface Response {
  readonly status: number | undefined;
  readonly allowedOrigin: string | undefined;
}

const send = (url: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<Response>((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, allowedOrigin: response.headers['access-control-allow-origin'] });
    });
    sent.on('error', reject).end();
  });

const page = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

it('all local servers reject other host names, and all of them except the API reject requests from other sites', async () => {
  const assembly = createAssembly();
  assembly.addApi({});
  const stack = await startLocalStack({ assembly: assembly.write(), hasConsole: true, onLog: () => {} });
  try {
    const { baseUrl, inboxUrl, ...outputs } = stack.outputs;
    const endpoints = Object.entries(outputs).flatMap(([name, url]) =>
      name.endsWith('Endpoint') ? [String(url)] : [],
    );
    const closed = [`${baseUrl}/`, inboxUrl, outputs.issuer, outputs.tokenUrl, ...endpoints];
    for (const url of [...closed, `${baseUrl}/v1/health`]) {
      const { port } = new URL(url);
      expect(await send(url, { host: `evil.example:${port}` }), url).toMatchObject({ status: 403 });
      expect(await send(url, { host: `127.0.0.1.evil.example:${port}` }), url).toMatchObject({ status: 403 });
    }
    for (const url of closed) {
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect(await send(url, page, method), `${method} ${url}`).toEqual({ status: 403, allowedOrigin: undefined });
      const script = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
      expect(await send(url, script), url).toMatchObject({ status: 403 });
    }
    for (const url of [`${baseUrl}/`, inboxUrl]) expect(await send(url, link), url).toMatchObject({ status: 200 });
    expect((await send(`${outputs.sqsEndpoint}/?Action=DeleteQueue`, link)).status).toBe(403);
    const api = await send(`${baseUrl}/v1/other`, page);
    expect(api).toEqual({ ...(await send(`${baseUrl}/v1/other`, {})), allowedOrigin: undefined });
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect((await send(`${outputs.issuer}/jwks`, { host: `${host}:1` })).status).toBe(200);
    const fromTool = await send(`${outputs.issuer}/jwks`, {});
    expect(fromTool).toEqual({ status: 200, allowedOrigin: undefined });
    expect((await send(outputs.dynamodbEndpoint, {})).allowedOrigin).toBeUndefined();
  } finally {
    await stack.stop();
  }
});

it('browsers cannot connect to the DynamoDB emulator, and the SQS emulator rejects requests from web pages', async () => {
  const { direct, stop } = await startEmulators(undefined);
  try {
    // Node's fetch blocks the same ports as browsers.
    await expect(fetch(direct.dynamodb)).rejects.toMatchObject({ cause: { message: 'bad port' } });
    expect((await send(direct.sqs, page, 'POST')).status).toBe(403);
    expect((await send(direct.sqs, { host: 'evil.example' }, 'POST')).status).toBe(403);
  } finally {
    await stop();
  }
});
