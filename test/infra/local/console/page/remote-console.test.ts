import { createServer, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../../../../infra/local/aws/emulators/ports.ts';
import { createConsolePage } from '../../../../../infra/local/console/page/console-page.ts';
import { createRegistryApi, createTokens } from '../../../../../infra/local/console/page/registry-api.ts';
import { createRemoteSource } from '../../../../../infra/local/console/page/remote/remote-source.ts';
import type { ConsoleState } from '../../../../../infra/local/console/page/state.ts';
import { listenLocally, stopServer } from '../../../../harness/local-server.ts';

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const address = 'https://receiver.example.org/events';
const subscription = { uuid, topic: 'CR', protocol: 'http', address, policy: '3600,168', active: true };
const attempt = (at: string, kind: string) => ({ at: `2026-11-20T08:00:0${at}Z`, class: kind, durationMs: 500 });
const replies: Readonly<Record<string, unknown>> = {
  '/v1/topics': [{ uuid, name: 'CR', title: 'Births' }],
  '/v1/subscriptions': [subscription],
  [`/v1/subscriptions/${uuid}`]: {
    ...{ ...subscription, state: 'active', stateReason: 'failing', waiting: 3 },
    lastTest: { ...attempt('9', 'timeout'), messageId: 'test' },
  },
  [`/v1/subscriptions/${uuid}/deliveries`]: [
    {
      ...{ messageId: 'm', subject: 'death', publishedAt: '2026-11-20T08:00:00Z', state: 'delivered' },
      attempts: [attempt('1', 'http'), attempt('2', 'delivered')],
    },
  ],
  [`/v1/subscriptions/${uuid}/test`]: { messageId: 'test' },
};

/** Starts a registry that accepts one token, and a console whose token command returns these tokens in order. */
async function startConsole(accepted: string, ...printed: string[]) {
  const seen: string[] = [];
  const registry = createServer(({ method, url = '', headers }, response) => {
    seen.push(`${method} ${url}`);
    const isAccepted = headers.authorization === `Bearer ${accepted}`;
    response.statusCode = isAccepted ? 200 : 401;
    response.end(JSON.stringify(isAccepted ? replies[url.split('?')[0] ?? ''] : { message: 'no' }));
  });
  const [baseUrl, port] = await Promise.all([listenLocally(registry), findFreePort()]);
  const now = () => Date.parse('2026-11-20T08:00:10Z');
  const api = createRegistryApi(
    baseUrl,
    createTokens(async () => String(printed.shift()), now),
  );
  const about = { name: baseUrl, links: {} };
  const page = createConsolePage({ port, api, about, source: createRemoteSource(api, now) });
  const server = createServer((incoming, response) => page.handle(incoming, response)).listen(port, '127.0.0.1');
  onTestFinished(() => {
    page.stop();
    stopServer(server);
    stopServer(registry);
  });
  const own = `http://127.0.0.1:${port}`;
  const call = (path: string, method = 'GET') => fetch(`${own}/console/${path}`, { method });
  async function readState() {
    const { body } = await call('live');
    let text = '';
    for await (const part of body ?? []) {
      text += Buffer.from(part);
      if (text.endsWith('}\n\n')) break;
    }
    return { text, state: JSON.parse(text.split('data: ')[1] ?? '') as ConsoleState };
  }
  return { seen, own, port, printed, call, readState };
}

it('the console shows a remote registry through its public API and never sends the token to the page', async () => {
  const { call, readState } = await startConsole('secret', 'secret');
  const { text, state } = await readState();
  expect(text).not.toContain('secret');
  expect(state.subscriptions.rows).toMatchObject([{ topic: 'Births', address, state: 'active', reason: 'failing' }]);
  expect(state.events.rows).toMatchObject([
    { messageId: 'test', topic: 'Births', delivered: 0, testOf: { uuid, address } },
    { messageId: 'm', topic: 'Births', subject: 'death', delivered: 1, failedAttempts: 1 },
  ]);
  const attempts = state.attempts.map((one) => `${one.kind} ${one.address} ${one.ordinal}`);
  expect(attempts).toEqual([`test ${address} 1`, `event ${address} 2`, `event ${address} 1`]);
  expect(state.chart.points.at(-2)).toMatchObject({ events: 1, latencyMs: 2500 });
  expect(state.operator).toBeUndefined();
  const recipients = await call(`recipients?${new URLSearchParams({ topic: uuid, generation: '' })}`);
  expect(await recipients.json()).toEqual({ uuids: [uuid] });
});

it('the console forwards only requests about topics, subscriptions and deliveries', async () => {
  const { call, seen } = await startConsole('secret', 'secret');
  expect(await (await call(`api/v1/subscriptions/${uuid}/test`, 'POST')).json()).toEqual({ messageId: 'test' });
  for (const path of ['persons?firstName=Ada', 'persons/1', 'subscriptions/../persons/1', `subscriptions/${uuid}/x`])
    expect((await call(`api/v1/${path}`)).status, path).toBe(404);
  for (const path of ['api/v1/uin', `api/v1/topics/${uuid}/publish`, 'token', 'redeliver', 'journal', 'receiver'])
    expect((await call(path, 'POST')).status, path).toBe(404);
  expect((await call(`api/v1/subscriptions/${uuid}`, 'DELETE')).status).toBe(404);
  expect(seen).toEqual([`POST /v1/subscriptions/${uuid}/test`]);
});

it('the console requests another token when the registry rejects the token, and before the token expires', async () => {
  const ending = `a.${Buffer.from(JSON.stringify({ exp: Date.parse('2026-11-20T08:00:15Z') / 1000 })).toString('base64url')}.b`;
  const { call, seen, printed } = await startConsole('good', 'revoked', ending, 'good', 'another');
  expect((await call('api/v1/topics')).status).toBe(401);
  expect((await call('api/v1/topics')).status).toBe(200);
  expect((await call('api/v1/topics')).status).toBe(200);
  expect([seen.length, printed]).toEqual([4, ['another']]);
});

it('the console accepts only requests that are addressed to its own host and come from its own pages', async () => {
  const { own, port } = await startConsole('secret', 'secret');
  const statusWith = (headers: Record<string, string>) =>
    new Promise((resolve) => {
      request(`${own}/console/api/v1/topics`, { headers }, ({ statusCode }) => resolve(statusCode)).end();
    });
  expect(await statusWith({ host: `evil.example:${port}` })).toBe(403);
  expect(await statusWith({ origin: 'https://evil.example' })).toBe(403);
  expect(await statusWith({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  const { status, headers } = await fetch(`${own}/console/api/v1/topics`, { headers: { origin: own } });
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
});
