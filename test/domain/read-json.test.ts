import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/domain/read-json.ts';
import { clientErrorOf } from '../harness/client-error.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('readJson', () => {
  it('reads any JSON whose keys are each given once', () => {
    const values = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(
        values.map((value) => JSON.stringify(value)),
        (text) => {
          expect(readJson(text)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it.each([
    '',
    ' ',
    'hello',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{}',
    'NaN',
    '\ufeff{}',
    '{"a":undefined}',
    '[1,]',
    '"\n"',
  ])('refuses %j as malformed', async (text) => {
    expect((await clientErrorOf(() => readJson(text))).errorName).toBe('malformedJson');
  });

  it('takes 32 levels and no more', async () => {
    expect(readJson(nested(32))).toBeInstanceOf(Array);
    const refusal = await clientErrorOf(() => readJson(nested(33)));
    expect(refusal.message).toContain('32 levels');
    expect((await clientErrorOf(() => readJson(nested(30_000)))).errorName).toBe('malformedJson');
    expect((await clientErrorOf(() => readJson('['.repeat(60_000)))).errorName).toBe('malformedJson');
  });

  it.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"x":[{"a":1,"b":{},"a":2}]}', '{"a":{"b":1},"a":2}'])(
    'refuses a key given twice: %s',
    async (text) => {
      const refusal = await clientErrorOf(() => readJson(text));
      expect(refusal).toMatchObject({ errorName: 'malformedJson', message: 'the key "a" is repeated' });
    },
  );

  it.each(['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":2}]', '{"a":"a","b":"a:\\"a\\":"}', '{"a":":","b":"{\\"c\\":1"}'])(
    'does not mistake %s for a key given twice',
    (text) => {
      expect(readJson(text)).toEqual(JSON.parse(text));
    },
  );

  it.each(['{"__proto__":{"firstName":"Ada"}}', '{"\\u005f_proto__":1}'])(
    'keeps a key that objects have of their own, and leaves the prototypes alone: %s',
    (text) => {
      const read = readJson(text) as object;
      expect(Object.keys(read)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).firstName).toBeUndefined();
    },
  );
});
