import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { additions, newFiles } from './sms-channel.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'third-channel-'));
afterAll(() => rmSync(folder, { recursive: true }));

// A copy of the product, in which a channel is added.
beforeAll(() => {
  for (const part of ['shared', 'functions', 'infra']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { compilerOptions, exclude } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as Record<
    string,
    object
  >;
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, exclude, include: ['*/**/*.ts'] }));
});

/** The files in which the compiler finds errors. */
function brokenFiles(): string[] {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false']);
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: Buffer };
    const files = [...String(stdout).matchAll(/^(?:.*\/)?((?:shared|functions|infra)\/[^(]+)\(\d+,\d+\): error/gm)];
    return [...new Set(files.map(([, file = '']) => file))].toSorted();
  }
}

function add(file: string, [before, after]: readonly [string, string]): void {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text, file).toContain(before);
  writeFileSync(join(folder, file), text.replace(before, after));
}

const word = 'shared/domain/subscriptions/subscription.ts';

it('a third protocol does not compile until its facts and its sender are there, and breaks nothing else', () => {
  add(word, additions[word]);
  expect(brokenFiles()).toEqual(['shared/contract/workers.ts', 'shared/domain/deliveries/channels.ts']);
});

it('it takes seven files, and compiles with them', () => {
  for (const [file, addition] of Object.entries(additions)) if (file !== word) add(file, addition);
  for (const [file, text] of Object.entries(newFiles)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  expect(brokenFiles()).toEqual([]);
  expect([...Object.keys(additions), ...Object.keys(newFiles)]).toHaveLength(7);
});

it('the page that tells how names the same files', () => {
  const readme = readFileSync(join(root, 'shared/delivery/README.md'), 'utf8');
  for (const file of [...Object.keys(additions), ...Object.keys(newFiles)]) expect(readme).toContain(`\`${file}\``);
});
