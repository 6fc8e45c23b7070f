import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mutationsOf } from './mutations.ts';
import { testsByFile } from './quick-tests.ts';
import { drawMutants } from './sample.ts';
import { openTypes } from './type-check.ts';

/** Returns the mutated versions of a source text, grouped by the kind of mutation. */
const mutated = (text: string): Record<string, string[]> =>
  Object.fromEntries(
    [...mutationsOf(text)].map(([kind, found]) => [
      kind,
      found.map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end)),
    ]),
  );

describe('mutationsOf', () => {
  it.each<[text: string, expected: Record<string, string[]>]>([
    ['a < b;', { comparison: ['a >= b;'], boundary: ['a <= b;'], removal: ['{}'] }],
    [
      'x = a && b + 1;',
      {
        logic: ['x = a || b + 1;'],
        arithmetic: ['x = a && b - 1;'],
        number: ['x = a && b + 2;', 'x = a && b + (0);'],
        removal: ['{}'],
      },
    ],
    ['const a = 1000;', { number: ['const a = 10000;', 'const a = (100);'] }],
    ['if (a) return;', { condition: ['if (!(a)) return;'], removal: ['if (a) {}'] }],
    ['const f = () => [a];', { return: ['const f = () => [];'] }],
    ['const found = all.filter((a) => a);', { condition: ['const found = all.filter((a) => !(a));'] }],
    [
      "const a = b?.c ?? '#a = :b';",
      {
        logic: ["const a = b?.c && '#a = :b';"],
        'optional chaining': ["const a = b!.c ?? '#a = :b';"],
        text: ["const a = b?.c ?? '';"],
      },
    ],
    ['const a = await f(b, c);', { await: ['const a = (f(b, c));'], arguments: ['const a = await f(c, b);'] }],
    [
      'const a = { ...b, c: true };',
      { removal: ['const a = { ...{}, c: true };'], boolean: ['const a = { ...b, c: false };'] },
    ],
  ])('%s', (text, expected) => {
    expect(mutated(text)).toEqual(expected);
  });

  it.each([
    "import { a } from 'b';",
    "type A = 'b' | 3;",
    '// a < b',
    "const a = { description: 'Name.', 'b': c };",
    "const a = 'find the 2 documents (population registry)';",
    "const a = 'The request expires in # days.';",
    "const a = new OptionError('no');",
    "const a = b + '';",
    "const a = { check: ['the latest deployment'] };",
    'const a = Math.max(b, c);',
    "const a = field('The curve.', 'Ed25519', 1);",
  ])('mutationsOf skips types, imports, comments, keys and messages for people: %s', (text) => {
    expect(mutated(text)).toEqual({});
  });
});

it('errorAfterChange returns the first type error after a change, and no error after the change is reverted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
  save('tsconfig.json', '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }');
  save('one.ts', 'export const one = (): number => 1;');
  save('two.ts', "import { one } from './one.js';\nexport const two: number = one();");
  const types = openTypes(join(folder, 'tsconfig.json'));
  save('one.ts', "export const one = (): string => '1';");
  expect(types.errorAfterChange('one.ts')).toContain('two.ts(2)');
  save('one.ts', 'export const one = (): number => 2;');
  expect(types.errorAfterChange('one.ts')).toBeUndefined();
  save('two.ts', 'export const two = 1 +;');
  expect(types.errorAfterChange('two.ts')).toContain('two.ts(1)');
});

it('drawMutants returns the same mutants for the same seed, each with the line that it changes', () => {
  const [drawn, again, others] = [drawMutants(5, 'a'), drawMutants(5, 'a'), drawMutants(5, 'b')];
  expect(again).toEqual(drawn);
  expect(others).not.toEqual(drawn);
  for (const { file, line, before, after, text } of drawn) {
    const original = readFileSync(file, 'utf8');
    expect(original.split('\n')[line - 1]).toContain(before.split('\n')[0]);
    expect(text).toContain(after);
    expect(text).not.toBe(original);
  }
});

it('testsByFile returns the tests that import a file, nearest first, or the tests of its folder if no test imports the file', () => {
  const quick = ['domain/persons/match-attributes', 'functions/persons/journal', 'infra/stages', 'documents/converter'];
  const testsOf = testsByFile(new Map(quick.map((name) => [`test/${name}.test.ts`, 'stateless'])));
  expect(testsOf('shared/documents/conversion-thread.ts')[0]).toBe('test/documents/converter.test.ts');
  expect(testsOf('shared/domain/persons/compare-attributes.ts')).toEqual([
    'test/domain/persons/match-attributes.test.ts',
    'test/functions/persons/journal.test.ts',
  ]);
  expect(testsOf('infra/stages/prod.ts')).toEqual(['test/infra/stages.test.ts']);
});
