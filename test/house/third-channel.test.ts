import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'third-channel-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The files of a copy of the product in which the compiler finds errors, once its list of protocols is longer. */
function brokenFiles(protocols: string): string[] {
  for (const part of ['shared', 'functions', 'infra'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as Record<string, object>;
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/**/*.ts'] }));
  const home = join(folder, 'shared/model/subscriptions/subscription.ts');
  const text = readFileSync(home, 'utf8');
  const longer = text.replace("['http', 'email'] as const", protocols);
  expect(longer).not.toBe(text);
  writeFileSync(home, longer);
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false']);
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: Buffer };
    const files = [...String(stdout).matchAll(/^(?:.*\/)?((?:shared|functions|infra)\/[^(]+)\(\d+,\d+\): error/gm)];
    return [...new Set(files.map(([, file = '']) => file))].toSorted();
  }
}

it('a third protocol does not compile until its facts and its sender are there, and breaks nothing else', () => {
  expect(brokenFiles("['http', 'email', 'sms'] as const")).toEqual([
    'shared/contract/workers.ts',
    'shared/domain/deliveries/channels.ts',
  ]);
}, 60_000);
