import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutationsOf } from './mutations.ts';
import { testsByFile } from './quick-tests.ts';
import { drawMutants } from './sample.ts';

/** Returns the mutated sources, by kind of mutation. */
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
    "const a = 'The person has no such document.';",
    "const a = new OptionError('no');",
    "const a = b + '';",
  ])('skips types, imports, comments, keys and messages for people: %s', (text) => {
    expect(mutated(text)).toEqual({});
  });
});

it('the same seed draws the same mutants, and each mutant reports the line that it changes', () => {
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

it('testsByFile returns the tests that import a file, nearest first, or else the tests of its folder', () => {
  const quick = ['domain/persons/match-attributes', 'functions/persons/journal', 'infra/stages', 'domain/text'];
  const testsOf = testsByFile(new Map(quick.map((name) => [`test/${name}.test.ts`, 'stateless'])));
  expect(testsOf('shared/domain/persons/compare-attributes.ts')).toEqual([
    'test/domain/persons/match-attributes.test.ts',
    'test/functions/persons/journal.test.ts',
  ]);
  expect(testsOf('infra/stages/prod.ts')).toEqual(['test/infra/stages.test.ts']);
});
