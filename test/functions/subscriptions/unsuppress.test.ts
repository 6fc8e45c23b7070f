import { createServer, type Server } from 'node:http';
import { GetSuppressedDestinationCommand, PutSuppressedDestinationCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { startSuppressionList } from '../../../infra/local/aws/emulators/ses.ts';
import { awsAccess } from '../../harness/aws-access.ts';
import { readConsole } from '../../harness/console-lines.ts';
import { listenLocally } from '../../harness/local-server.ts';

const lines = readConsole();
const { server: listServer, endpoint: list } = await startSuppressionList();
const servers: Server[] = [listServer];
const client = new SESv2Client({ ...awsAccess, endpoint: list });
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});
afterAll(() => {
  client.destroy();
  for (const server of servers) server.close();
});

/** Loads the job as in a cold start, with the given URL as the SES endpoint. */
async function open(endpoint: string) {
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', endpoint);
  vi.stubEnv('AWS_REGION', awsAccess.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('EMAIL_SENDER', 'registry@example.org');
  return (await import('../../../functions/subscriptions/unsuppress.ts')).handler;
}

/** Starts a fake SES that records its calls and always returns an error message with the address. */
async function startRefusing(status: number, kind: string) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.writeHead(status, { 'x-amzn-errortype': kind, 'x-amzn-requestid': 'request-1' });
    response.end(JSON.stringify({ message: 'not with zanzibar@example.org' }));
  });
  servers.push(server);
  return { calls, endpoint: await listenLocally(server) };
}

const suppress = (EmailAddress: string) =>
  client.send(new PutSuppressedDestinationCommand({ EmailAddress, Reason: 'BOUNCE' }));
const isSuppressed = (EmailAddress: string) =>
  client.send(new GetSuppressedDestinationCommand({ EmailAddress })).then(
    () => true,
    () => false,
  );
const faultOf = (attempt: Promise<unknown>) => attempt.catch((error: Error) => error) as Promise<Error>;

it('unsuppress normalises an address, removes it from the suppression list, and reports whether the list contained it', async () => {
  const unsuppress = await open(list);
  for (const address of ['Zanzibar+x@xn--mnchen-3ya.example', 'bob@example.org']) await suppress(address);
  expect(await unsuppress({ address: '  Zanzibar+x@MÜNCHEN.example ' })).toEqual({ unsuppressed: 1 });
  expect(await unsuppress({ address: 'Zanzibar+x@xn--mnchen-3ya.example' })).toEqual({ unsuppressed: 0 });
  expect(await isSuppressed('Zanzibar+x@xn--mnchen-3ya.example')).toBe(false);
  expect(await isSuppressed('bob@example.org')).toBe(true);
  expect(lines.info.map((line) => JSON.parse(line))).toEqual(
    [1, 0].map((unsuppressed) => ({ message: 'performed', job: 'unsuppress', unsuppressed })),
  );
  expect(lines.error).toEqual([]);
});

it.each([
  [400, 'BadRequestException', 1],
  [403, 'AccessDeniedException', 1],
  [429, 'TooManyRequestsException', 3],
  [500, 'InternalFailure', 3],
])('unsuppress fails if SES returns %i %s, and logs the status but not the address', async (status, kind, calls) => {
  const ses = await startRefusing(status, kind);
  const unsuppress = await open(ses.endpoint);
  const error = await faultOf(unsuppress({ address: 'zanzibar@example.org' }));
  expect(error.message).toMatch(/^suppressionKept: /);
  expect(ses.calls).toEqual(Array(calls).fill('/v2/email/suppression/addresses/zanzibar%40example.org'));
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'failed', job: 'unsuppress', error: 'suppressionKept', cause: kind, awsStatus: status },
  ]);
  expect(`${error?.message} ${lines.error} ${lines.info}`).not.toContain('zanzibar');
  expect(lines.info).toEqual([]);
});

it('unsuppress fails if SES is unreachable', async () => {
  const closed = await startRefusing(500, 'InternalFailure');
  await new Promise((resolve) => servers.pop()?.close(resolve));
  const unsuppress = await open(closed.endpoint);
  const error = await faultOf(unsuppress({ address: 'zanzibar@example.org' }));
  expect(error?.message).toMatch(/^suppressionKept: /);
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([{ code: 'ECONNREFUSED' }]);
});

it.each([
  [undefined, 'unreadableInput'],
  [{}, 'unreadableInput'],
  [{ address: 7 }, 'unreadableInput'],
  [{ address: 'zanzibar@example.org', all: true }, 'unreadableInput'],
  [{ address: 'zanzibar' }, 'ClientError'],
  [{ address: 'http://zanzibar.example.org/' }, 'ClientError'],
  [{ address: 'zanzibar@example.org\nbob@example.org' }, 'ClientError'],
])('unsuppress rejects the input %j without calling SES', async (input, kind) => {
  const ses = await startRefusing(500, 'InternalFailure');
  const unsuppress = await open(ses.endpoint);
  const error = await faultOf(unsuppress(input));
  expect(error).toBeInstanceOf(Error);
  expect(ses.calls).toEqual([]);
  expect(lines.error.map((line) => JSON.parse(line))).toMatchObject([{ job: 'unsuppress', error: kind }]);
  expect(`${error?.message} ${lines.error}`).not.toContain('zanzibar');
});
