import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listenLocally, stopServer } from '../../../harness/local-server.ts';
import { runProgram } from '../../../harness/run-program.ts';

const script = join(import.meta.dirname, '../../../../infra/operate/restore.ts');

// Replaces the AWS APIs: all credentials belong to one account, which has no stacks.
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/xml');
  response.end(
    '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>444455556666</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
  );
});
const url = await listenLocally(server);
afterAll(() => stopServer(server));

const run = (...args: string[]) => {
  const access = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL: url };
  const env = { PATH: process.env.PATH, AWS_REGION: 'eu-central-1', ...access };
  return runProgram(process.execPath, [script, ...args], { env });
};

test.each([
  [['--stage', 'prod'], /^the credentials are for account 444455556666, .* to the account 111122223333: nothing/],
  [['--stage', 'dev', '--account', '1'], /^the credentials are for account 444455556666, .* --account is 1: nothing/],
])('restore rejects the credentials of another account before it reads any data: %j', async (args, complaint) => {
  const result = await run(...args, 'persons', '--to', '2026-11-22T10:00:00Z', '--dry-run');
  expect(result).toEqual({ code: 2, out: '', complaint: expect.stringMatching(complaint) });
});
