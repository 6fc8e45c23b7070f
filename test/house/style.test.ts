import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../harness/source-files.ts';

const product = sourceFiles('shared', 'functions', 'infra');
const tests = sourceFiles('test');
const holders = (files: typeof product, pattern: RegExp) =>
  files.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

describe('the house style', () => {
  it('reads the process environment in one place at run time; only the local stack and the build read it beside', () => {
    const readers = holders(
      product,
      /\bprocess\s*\.\s*env\b|\bprocess\[|from 'node:process'|\{[^}]*\benv\b[^}]*\} = process\b/,
    );
    expect(readers).toContain('shared/lambda/environment.ts');
    expect(readers.filter((path) => !path.startsWith('infra/'))).toEqual(['shared/lambda/environment.ts']);
  });

  it.each([
    ['a default export', /^export default\b|\bas default\b/m],
    ['an enum', /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s/m],
    ['a namespace', /^\s*(?:export\s+)?(?:declare\s+)?namespace\s/m],
    ['a decorator', /^\s*@\w+(?:\(.*\))?\s*$/m],
    ['any', /:\s*any\b|\bas any\b|<any>/],
    ['an error that the compiler is told to ignore', /@ts-(?:ignore|nocheck)/],
  ])('has no file with %s', (_what, pattern) => {
    // The list of stores takes stores of any client: the contract says so, and why, in its own lines.
    const contract = ['define-store', 'endpoint', 'job', 'worker'];
    const known = contract.map((name) => `shared/contract/${name}.ts`);
    expect(
      holders(product, pattern).filter((path) => !(pattern.source.includes('any') && known.includes(path))),
    ).toEqual([]);
  });

  it('has no file with a name that says nothing', () => {
    const empty = /(?:^|[/-])(?:utils?|helpers?|common|misc|types|services?|managers?)(?:\.test)?\.ts$/;
    const paths = [...product, ...tests].map(({ path }) => path);
    expect(paths.filter((path) => empty.test(path))).toEqual([]);
    expect('shared/string-utils.ts').toMatch(empty);
  });

  it('has small files: none of the product is longer than 200 lines', () => {
    expect(product.filter(({ text }) => text.split('\n').length > 201).map(({ path }) => path)).toEqual([]);
  });

  it('writes to the console in one place at run time', () => {
    const atRunTime = product.filter(({ path }) => !path.startsWith('infra/'));
    expect(holders(atRunTime, /\bconsole\./)).toEqual(['shared/lambda/logger.ts']);
  });
});

describe('the tests', () => {
  it('replace no module by another', () => {
    const replacing = /\bvi\.(?:do)?[mM]ock\(/;
    expect(holders(tests, replacing)).toEqual([]);
    expect(['vi', 'mock("./store.ts")'].join('.')).toMatch(replacing);
  });

  it('ask what happened, not whether something was called', () => {
    expect(holders(tests, /\.toHaveBeen\w*Called/)).toEqual([]);
  });

  it('are all run: none is skipped, alone or still to do', () => {
    expect(holders(tests, /\b(?:it|test|describe)\.(?:only|skip|todo)\b/)).toEqual([]);
  });

  it('have a harness and a fault suite of small files: none is longer than 200 lines', () => {
    const small = tests.filter(({ path }) => /^test\/(?:harness|faults)\//.test(path));
    expect(small.length).toBeGreaterThan(20);
    expect(small.filter(({ text }) => text.split('\n').length > 201).map(({ path }) => path)).toEqual([]);
  });

  it('say in the fault suite who it is that fails, so that its README lists their promises', () => {
    const suite = tests.filter(({ path }) => /^test\/faults\/.*\.test\.ts$/.test(path)).map(({ path }) => path);
    expect(suite.filter((path) => !/^test\/faults\/(?:own|service|receiver)-[\w-]+\.test\.ts$/.test(path))).toEqual([]);
  });

  it('stand where the code stands that they test', () => {
    const mirrored = tests.filter(({ path }) =>
      /^test\/(domain|lambda|storage|delivery|presentation)\/.*\.test\.ts$/.test(path),
    );
    const code = new Set(product.map(({ path }) => path));
    // `persons-mint.test.ts` is a part of the tests of `persons.ts`.
    const isMirrored = (path: string): boolean => {
      const words = path
        .replace(/^test\//, 'shared/')
        .replace(/\.test\.ts$/, '')
        .split('-');
      return words.some((_, index) => code.has(`${words.slice(0, index + 1).join('-')}.ts`));
    };
    expect(mirrored.length).toBeGreaterThan(25);
    expect(mirrored.map(({ path }) => path).filter((path) => !isMirrored(path))).toEqual([]);
    expect(isMirrored('test/storage/nobody-mint.test.ts')).toBe(false);
  });

  it('are imported by no file of the product', () => {
    const importers = product.filter(({ imports }) => imports.some(({ target }) => target.startsWith('test/')));
    expect(importers.map(({ path }) => path)).toEqual([]);
  });
});
