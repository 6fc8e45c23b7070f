import fc from 'fast-check';
import { expect, it } from 'vitest';
import { standardAttributes } from '../../../shared/domain/persons/attributes.ts';
import { verifyExpressions } from '../../../shared/domain/persons/compare-attributes.ts';
import { type Expression, operators } from '../../../shared/domain/persons/expression.ts';
import { clientErrorOf } from '../../harness/client-error.ts';

const ada = { uin: '1', firstName: 'Ada', lastName: '\uffee', gender: 2, dateOfBirth: '1815-12-10' };
const verify = (...expressions: [name: string, operator: Expression['operator'], value: Expression['value']][]) =>
  verifyExpressions(
    ada,
    expressions.map(([attributeName, operator, value]) => ({ attributeName, operator, value })),
    ['tribe'],
  );

it.each<[string, Expression['operator'], Expression['value'], boolean]>([
  ['dateOfBirth', '<', '1815-12-11', true],
  ['dateOfBirth', '<', '1815-12-10', false],
  ['dateOfBirth', '>=', '1815-12-10', true],
  ['dateOfBirth', '<', '2023-02-29', false],
  ['dateOfBirth', '<', 'tomorrow', false],
  ['dateOfBirth', '>', 0, false],
  ['gender', '=', 2, true],
  ['gender', '=', '2', false],
  ['gender', '=', true, false],
  ['gender', '>=', 1, true],
  ['firstName', '=', 'Ada', true],
  ['firstName', '=', ' Ada ', true],
  ['firstName', '=', 'ada', false],
  ['firstName', '<', 'a', true],
  ['firstName', '>', 7, false],
  ['firstName', '=', true, false],
  // A comparison of UTF-16 code units would put the surrogate pair first.
  ['lastName', '<', '\u{1f476}', true],
  ['status', '=', 'alive', false],
  ['status', '<', 'alive', false],
  ['status', '>=', '', false],
  ['tribe', '=', 'x', false],
])('%s %s %j is %j', (name, operator, value, expected) => {
  expect(verify([name, operator, value])).toBe(expected);
});

it('verifyExpressions returns true if there are no expressions or if all expressions are true', () => {
  expect(verify()).toBe(true);
  expect(verify(['firstName', '=', 'Ada'], ['gender', '<', 9])).toBe(true);
  expect(verify(['firstName', '=', 'Ada'], ['gender', '>', 2])).toBe(false);
  expect(verify(['status', '=', 'x'], ['firstName', '=', 'Ada'])).toBe(false);
});

it.each(['firstname', 'toString', '__proto__', ''])(
  'verifyExpressions rejects the unknown name %j in any position',
  async (name) => {
    const refusal = await clientErrorOf(() => verify(['gender', '=', 1], [name, '=', 'x']));
    expect([refusal.errorName, refusal.message]).toEqual(['unknownAttribute', expect.stringContaining(`"${name}"`)]);
  },
);

const days = fc.date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
const day = days.map((date) => date.toISOString().slice(0, 10));
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', 'b', '\uffee', '\u{1f476}'));
const kindOf = (name: string) => standardAttributes[name as keyof typeof standardAttributes].kind;
const person = fc.record(
  { firstName: text, dateOfBirth: day, gender: fc.constantFrom(0, 1, 2, 9), uin: text },
  { requiredKeys: [] },
);
const expression = fc.record({
  attributeName: fc.constantFrom('firstName', 'dateOfBirth', 'gender', 'uin', 'status', 'dateOfDeath'),
  operator: fc.constantFrom(...operators),
  value: fc.oneof(text, day, fc.integer({ min: -1, max: 10 }), fc.boolean()),
});

/** Evaluates expressions in a simpler way: compares individual code points and converts dates to numbers. */
function naively(held: unknown, { attributeName, operator, value }: Expression): boolean {
  const kind = kindOf(attributeName);
  if (typeof held !== (kind === 'gender' ? 'number' : 'string') || typeof held !== typeof value) return false;
  const spell = (one: unknown) => {
    if (kind === 'gender') return [Number(one)];
    if (kind === 'date') return [/^\d{4}-\d\d-\d\d$/.test(String(one)) ? Date.parse(String(one)) : Number.NaN];
    return [...String(one).normalize('NFC').trim()].map((character) => character.codePointAt(0) ?? 0);
  };
  const [ours, theirs] = [spell(held), spell(value)];
  if ([...ours, ...theirs].some(Number.isNaN)) return false;
  const at = ours.findIndex((point, index) => point !== theirs[index]);
  const [a, b] = at === -1 ? [ours.length, theirs.length] : [ours[at] ?? 0, theirs[at] ?? -1];
  return { '<': a < b, '>': a > b, '=': a === b, '>=': a >= b, '<=': a <= b }[operator];
}

it('verifyExpressions returns the same result as a simple evaluator for every operator and every kind of attribute', () => {
  fc.assert(
    fc.property(person, fc.array(expression, { maxLength: 3 }), fc.boolean(), (raw, expressions, isOwn) => {
      const trimmed = Object.entries(raw).map(([name, value]) => [
        name,
        kindOf(name) === 'text' ? String(value).normalize('NFC').trim() : value,
      ]);
      const held: Record<string, string | number> = Object.fromEntries(trimmed);
      const chosen = isOwn
        ? expressions.map((one) => ({ ...one, value: held[one.attributeName] ?? one.value }))
        : expressions;
      const expected = chosen.every((one) => naively(held[one.attributeName], one));
      expect(verifyExpressions(held, chosen, [])).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});
