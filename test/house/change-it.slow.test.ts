import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { copyCheckout, testedParts } from '../harness/checkout.ts';
import { addedParts, brokenByMissingFields, missingFields } from './added-parts.ts';
import { additions, newFiles } from './sms-channel.ts';

const root = join(import.meta.dirname, '..', '..');
const readme = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('in a copy of the product', () => {
  const copy = copyCheckout('change-it-', testedParts);
  afterAll(copy.remove);

  const node = (...args: readonly string[]): string => {
    const env = { ...process.env, NO_COLOR: '1' };
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy.folder, encoding: 'utf8', env });
    return stdout + stderr;
  };

  /** Compiles a project. Returns the names of the files that have compile errors, and the compiler's report. */
  function compile(project: string): { broken: string[]; report: string } {
    const report = node('node_modules/typescript/bin/tsc', '-p', project, '--pretty', 'false', '--singleThreaded');
    const files = [...report.matchAll(/^(\S+\.ts)\(\d+,\d+\): error/gm)].map(([, file = '']) => file);
    return { broken: [...new Set(files)].toSorted(), report };
  }

  const product = 'tsconfig.product.json';
  copy.save(product, '{ "extends": "./tsconfig.json", "include": ["infra", "functions", "shared"] }');

  const protocolFile = 'shared/domain/subscriptions/subscription.ts';
  const { [protocolFile]: protocol, ...channelFacts } = additions;

  it('the product does not compile if an endpoint or attribute has no description, or if a protocol has no channel', () => {
    for (const { replacements, files } of Object.values(addedParts)) {
      for (const [file, piece, by] of replacements) copy.replace(file, piece, by);
      for (const [file, text] of Object.entries(files)) copy.save(file, text);
    }
    for (const [file, piece, by] of missingFields) copy.replace(file, piece, by);
    copy.replace(protocolFile, ...protocol);
    const { broken, report } = compile(product);
    const ofProtocol = ['shared/contract/workers.ts', 'shared/domain/deliveries/channels.ts'];
    expect(broken, report).toEqual([...brokenByMissingFields, ...ofProtocol].toSorted());
  });

  it('a new endpoint, attribute, setting and channel compile if the files that the READMEs name are changed', () => {
    for (const [file, piece, by] of missingFields) copy.replace(file, by, piece);
    for (const [file, [piece, by]] of Object.entries(channelFacts)) copy.replace(file, piece, by);
    for (const [file, text] of Object.entries(newFiles)) copy.save(file, text);
    const { broken, report } = compile(product);
    expect(broken, report).toEqual([]);
  });

  it('the house tests and contract tests pass after an endpoint, an attribute and a setting are added', () => {
    for (const [file, [piece, by]] of Object.entries(additions)) copy.replace(file, by, piece);
    for (const file of Object.keys(newFiles)) copy.delete(file);
    node('infra/docs/readme.ts');
    const report = node(
      'node_modules/vitest/vitest.mjs',
      ...['run', '--mode', 'quick', 'test/house', 'test/contract', 'test/functions/topics/read-topic.test.ts'],
      ...['--reporter', 'dot'],
    );
    expect(report).toMatch(/Test Files\s+\d+ passed \(\d+\)/);
  });
});

describe('the READMEs name the files to change', () => {
  const [, table = ''] = readme('README.md').split('\n## Change it\n');
  const rowOf = (part: string): string => table.split('\n').find((line) => line.startsWith(`| ${part} `)) ?? '';

  it.each(Object.entries(addedParts))('for %s', (part, { replacements, files }) => {
    const changed = [...new Set([...replacements.map(([file]) => file), ...Object.keys(files)])];
    // In each row, the text after the semicolon describes special cases.
    const [cell = ''] = (rowOf(part).split('|')[2] ?? '').split(';');
    const named = [...cell.matchAll(/`(\w+\/[\w./-]*)`/g)].map(([, path = '']) => path);
    expect(Number.parseInt(cell, 10)).toBe(changed.length);
    expect(changed.filter((file) => !named.some((path) => file.startsWith(path)))).toEqual([]);
    expect(named.filter((path) => !changed.some((file) => file.startsWith(path)))).toEqual([]);
  });

  it('for a channel', () => {
    const files = [...Object.keys(additions), ...Object.keys(newFiles)];
    expect(files).toHaveLength(7);
    expect(rowOf('a channel')).toContain(' 7 ');
    const page = readme('shared/delivery/README.md');
    expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
  });
});
