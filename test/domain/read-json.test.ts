import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/domain/read-json.ts';
import { clientErrorOf } from '../harness/client-error.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('readJson', () => {
  it('readJson reads any JSON that has no repeated keys', () => {
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

  const malformed = [
    ['', ' ', 'hello', '{', '{"a":1,}', "{'a':1}", '{"a":1}{}'],
    ['NaN', '\ufeff{}', '{"a":undefined}', '[1,]', '"\n"'],
  ];
  it.each(malformed.flat())('rejects %j as malformed', async (text) => {
    expect((await clientErrorOf(() => readJson(text))).errorName).toBe('malformedJson');
  });

  it('readJson accepts 32 nested levels and rejects deeper nesting', async () => {
    expect(readJson(nested(32))).toBeInstanceOf(Array);
    const error = await clientErrorOf(() => readJson(nested(33)));
    expect(error.message).toContain('32 levels');
    expect((await clientErrorOf(() => readJson(nested(30_000)))).errorName).toBe('malformedJson');
    expect((await clientErrorOf(() => readJson('['.repeat(60_000)))).errorName).toBe('malformedJson');
  });

  it.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"x":[{"a":1,"b":{},"a":2}]}', '{"a":{"b":1},"a":2}'])(
    'rejects a repeated key: %s',
    async (text) => {
      const error = await clientErrorOf(() => readJson(text));
      expect(error).toMatchObject({ errorName: 'malformedJson', message: 'the key "a" is repeated' });
    },
  );

  it.each(['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":2}]', '{"a":"a","b":"a:\\"a\\":"}', '{"a":":","b":"{\\"c\\":1"}'])(
    'readJson does not report a repeated key in %s',
    (text) => {
      expect(readJson(text)).toEqual(JSON.parse(text));
    },
  );

  it.each(['{"__proto__":{"firstName":"Ada"}}', '{"\\u005f_proto__":1}'])(
    'readJson keeps the key __proto__ and changes no prototypes: %s',
    (text) => {
      const read = readJson(text) as object;
      expect(Object.keys(read)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).firstName).toBeUndefined();
    },
  );
});
