import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { eventually } from '../harness/eventually.ts';
import { startReceiver } from '../harness/receiver.ts';
import { confirmation, type Delivery, delivered, event } from '../harness/signed-message.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const [, nodeExample = ''] = /```js\n([\s\S]*?)```/.exec(read('functions/CONNECTING.md')) ?? [];
const examples = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, read(`shared/receiver/examples/${name}`)]));

const folder = mkdtempSync(join(tmpdir(), 'connecting-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) process.kill(-(child.pid ?? 0), 'SIGKILL');
  rmSync(folder, { recursive: true });
});

const key = signingKey('ours');
const nextKey = signingKey('next');
const confirmed: string[] = [];
let isTaken = true;
let isSilent = false;
let published: (typeof key)[] = [];
/** Simulates the endpoints that receivers call. Returns 503 to requests for the keys until keys are published. */
const registry = await startReceiver(({ path, headers }) => {
  if (isSilent) return new Promise(() => {});
  if (path.endsWith('/jwks.json')) {
    const keys = published.map(({ publicKey }) => publicKey);
    return { status: keys.length > 0 ? 200 : 503, body: JSON.stringify({ keys }) };
  }
  confirmed.push(`${headers.authorization} ${path}`);
  return { status: isTaken ? 200 : 400, body: '{}' };
});

/** For each language: the files that contain the code, and the command that runs them. */
const receivers: readonly [name: string, isThere: readonly string[], files: Record<string, string>, run: string][] = [
  [
    'Node.js',
    ['node', '--version'],
    {
      'receiver.mjs': execFileSync('npm', ['run', '-s', 'receiver'], { encoding: 'utf8' }),
      'main.mjs': nodeExample,
    },
    'node main.mjs',
  ],
  ['Python', ['python3', '-c', 'import cryptography'], examples('receiver.py', 'verify.py'), 'python3 receiver.py'],
  [
    'PHP',
    ['php', '-r', 'exit(function_exists("sodium_crypto_sign_verify_detached") ? 0 : 1);'],
    examples('receiver.php'),
    'php -S 127.0.0.1:$PORT receiver.php',
  ],
  ['Java', ['javac', '--version'], examples('Receiver.java'), 'java Receiver.java'],
  ['Go', ['go', 'version'], examples('receiver.go', 'verify.go'), 'go run verify.go receiver.go'],
];

async function start(files: Record<string, string>, run: string) {
  const own = mkdtempSync(join(folder, 'r-'));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(own, name), code);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const REGISTRY = new URL(registry.url).origin;
  const env = { ...process.env, REGISTRY, ACCESS_TOKEN: 'ours', PORT: String(port), TMPDIR: own };
  const child = spawn(run, { cwd: own, env, shell: true, detached: true });
  started.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
  const send = async ({ headers, body }: Delivery): Promise<number> => {
    const given = headers.filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
    );
    const response = await fetch(url, {
      method: 'POST',
      headers: given.map((pair) => [...pair]),
      body: Buffer.from(body, 'base64'),
      // The registry uses the same timeout.
      signal: AbortSignal.timeout(15_000),
    });
    return response.status;
  };
  await eventually(() => fetch(url, { method: 'POST', body: 'x' })).catch(() => expect.fail(printed));
  return { send, printed: () => printed, child };
}

describe.each(receivers)('the example receiver in %s', (_name, [command = '', ...args], files, run) => {
  const isThere = spawnSync(command, args).status === 0;
  it.skipIf(!isThere)(
    'the receiver verifies an event, confirms before it responds, and processes an event once',
    async () => {
      published = [];
      const { send, printed, child } = await start(files, run);
      const birth = await delivered(event('décès 100 %+'), [key]);
      const request = await delivered(confirmation(), [key]);
      confirmed.length = 0;

      isSilent = true;
      expect(await send(request)).toBe(500);
      isSilent = false;
      expect(await send(request)).toBe(500);
      published = [key];
      expect(await send(request)).toBe(200);
      const { token } = JSON.parse(Buffer.from(request.body, 'base64').toString());
      expect(confirmed).toEqual([`Bearer ours /v1/subscriptions/confirm?token=${token}`]);
      isTaken = false;
      expect(await send(request)).toBe(500);
      isTaken = true;
      isSilent = true;
      expect(await send(request)).toBe(500);
      isSilent = false;

      const relabelled = birth.headers.map(([name, value]) => [name, name === 'subject' ? 'death' : value] as const);
      expect(await send({ ...birth, headers: relabelled })).toBe(401);
      expect(await send({ ...birth, body: Buffer.from('{}').toString('base64') })).toBe(401);
      expect(await send(await delivered(event('death'), [signingKey('foreign')]))).toBe(401);
      expect(await send(await delivered(event('death'), [key], -3600))).toBe(401);

      expect([await send(birth), await send(birth)]).toEqual([200, 200]);
      await eventually(() => expect(printed()).toContain('décès 100 %+ {"uin":"décès"}'));
      expect(printed().split('{"uin":"décès"}')).toHaveLength(2);

      published = [nextKey];
      const later = await delivered(event('death'), [nextKey]);
      await eventually(async () => expect(await send(later)).toBe(200));
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      started.splice(started.indexOf(child), 1);
      await once(child, 'exit');
    },
  );
});
