import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../shared/delivery/signing/signature.ts';
import { signingKey } from '../../shared/delivery/signing/signing-key.ts';

const readme = (folder: string) => readFileSync(new URL(`../../${folder}/README.md`, import.meta.url), 'utf8');
const [, section = ''] = readme('functions').split('\n## Verify a delivery\n');
const [, secret = ''] = readme('infra').split('\n## The signing secret\n');
const code = /```js\n([\s\S]*?)```/.exec(section)?.[1] ?? '';

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'verify.mjs');
writeFileSync(file, code);

type IsFromRegistry = (headers: Record<string, string>, body: Buffer, jwks: { keys: object[] }) => boolean;
const { isFromRegistry } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
  isFromRegistry: IsFromRegistry;
};

const [ours, before, foreign] = ['ours', 'before', 'foreign'].map(signingKey) as [Key, Key, Key];
type Key = ReturnType<typeof signingKey>;
const jwks = (...keys: Key[]) => ({ keys: keys.map(({ publicKey }) => publicKey) });
const body = Buffer.from('{"source":"CR","uin":"décès"}');
const signed = (keys: Key[], seconds = Math.floor(Date.now() / 1000), hasHmac = false) =>
  signatureHeaders({ messageId: '0192d1a4', body }, keys, hasHmac, seconds);

describe('the lines of the README that verify a delivery', () => {
  it('are about ten, and need nothing but Node.js', () => {
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12);
    expect(code.match(/from '[^']+'/g)).toEqual(["from 'node:crypto'"]);
  });

  it('accept what we sign, with either key while two are valid', () => {
    expect(isFromRegistry(signed([ours]), body, jwks(ours))).toBe(true);
    expect(isFromRegistry(signed([ours, before], undefined, true), body, jwks(before))).toBe(true);
    expect(isFromRegistry(signed([ours, before]), body, jwks(foreign, ours))).toBe(true);
  });

  it('refuse everything else', () => {
    const good = signed([ours]);
    const now = Math.floor(Date.now() / 1000);
    expect(isFromRegistry(good, Buffer.from(`${body} `), jwks(ours))).toBe(false);
    expect(isFromRegistry({ ...good, 'webhook-id': 'another' }, body, jwks(ours))).toBe(false);
    expect(isFromRegistry(good, body, jwks(foreign))).toBe(false);
    expect(isFromRegistry(good, body, jwks())).toBe(false);
    expect(isFromRegistry(signed([ours], now - 600), body, jwks(ours))).toBe(false);
    expect(isFromRegistry(signed([ours], now + 600), body, jwks(ours))).toBe(false);
    expect(isFromRegistry({}, body, jwks(ours))).toBe(false);
  });
});

it('the command of the README that prints the HMAC key prints the one that signs', () => {
  const script = /node -e "([^"]*)"/.exec(secret)?.[1] ?? '';
  const printed = execFileSync(process.execPath, ['-e', script], { input: 'ours\n', encoding: 'utf8' });
  expect(printed.trim()).toBe(`whsec_${ours.hmacKey.export().toString('base64')}`);
});
